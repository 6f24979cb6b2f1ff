package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// superviseMain keeps one node running. A node that reboots is started again
// with the same volumes; a node that shuts down stays down. SIGTERM shuts the
// node down (as docker stop does), SIGINT cuts its power, and so does the end of
// whoever holds the other end of standard input.
func superviseMain(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: nodebox supervise SPEC")
	}
	spec, err := readSpec(args[0])
	if err != nil {
		return err
	}
	// The parent-death signal is bound to the thread that made the child.
	runtime.LockOSThread()

	if err := os.WriteFile(filepath.Join(spec.Run, "supervisor.pid"), []byte(strconv.Itoa(os.Getpid())), 0o644); err != nil {
		return err
	}
	stop := make(chan os.Signal, 2)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		untilOwnerIsGone()
		stop <- syscall.SIGINT
	}()

	for boot := 1; ; boot++ {
		cmd := exec.Command("/proc/self/exe", "boot", args[0])
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin"}
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Setsid:    true,
			Pdeathsig: syscall.SIGKILL,
			// A pid namespace of its own is what makes reboot(2) end the node
			// and not the machine.
			Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWUTS |
				syscall.CLONE_NEWIPC | syscall.CLONE_NEWCGROUP,
		}
		// The child's cgroup namespace begins where this process is now.
		if err := joinCgroups(spec.Cgroup); err != nil {
			return err
		}
		fmt.Printf("nodebox: boot %d of %s at %s\n", boot, spec.Name, time.Now().UTC().Format(time.RFC3339))
		if err := cmd.Start(); err != nil {
			return fmt.Errorf("start: %w", err)
		}
		leaveCgroups(spec.Cgroup)
		pidFile := filepath.Join(spec.Run, "pid")
		if err := os.WriteFile(pidFile, []byte(strconv.Itoa(cmd.Process.Pid)), 0o644); err != nil {
			return err
		}

		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()

		var werr error
		stopping := false
	wait:
		for {
			select {
			case werr = <-done:
				break wait
			case sig := <-stop:
				if stopping || sig == syscall.SIGINT {
					stopping = true
					_ = cmd.Process.Kill() // the first process takes all others with it
					continue
				}
				stopping = true
				_ = cmd.Process.Signal(syscall.SIGTERM)
				time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
			}
		}
		_ = os.Remove(pidFile)
		emptyCgroups(spec.Cgroup)

		status := cmd.ProcessState.Sys().(syscall.WaitStatus)
		switch {
		case stopping:
			fmt.Printf("nodebox: %s stopped\n", spec.Name)
			return nil
		case status.Signaled() && status.Signal() == syscall.SIGHUP:
			fmt.Printf("nodebox: %s reboots\n", spec.Name)
			cleanNetwork()
		default:
			fmt.Printf("nodebox: %s ended: %v\n", spec.Name, werr)
			return nil
		}
	}
}

type cgroupMount struct {
	path string
	opts []string
	v2   bool
}

// cgroupMounts lists the mounted cgroup hierarchies of the machine.
func cgroupMounts() []cgroupMount {
	b, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	var out []cgroupMount
	seen := map[string]bool{}
	for line := range strings.SplitSeq(string(b), "\n") {
		pre, post, ok := strings.Cut(line, " - ")
		if !ok {
			continue
		}
		p, q := strings.Fields(pre), strings.Fields(post)
		if len(p) < 5 || len(q) < 3 || (q[0] != "cgroup" && q[0] != "cgroup2") || seen[p[4]] {
			continue
		}
		seen[p[4]] = true
		out = append(out, cgroupMount{path: p[4], opts: strings.Split(q[2], ","), v2: q[0] == "cgroup2"})
	}
	return out
}

// usable leaves out the second, controllerless hierarchy of a hybrid machine.
func usable(ms []cgroupMount) []cgroupMount {
	if slices.ContainsFunc(ms, func(m cgroupMount) bool { return !m.v2 }) {
		return slices.DeleteFunc(ms, func(m cgroupMount) bool { return m.v2 })
	}
	return ms
}

// joinCgroups makes the node's cgroup in every hierarchy and moves this process
// there, so that a new cgroup namespace has it as its root.
func joinCgroups(name string) error {
	for _, m := range usable(cgroupMounts()) {
		dir := filepath.Join(m.path, name)
		if m.v2 {
			// Controllers have to be handed down level by level.
			cur := m.path
			for part := range strings.SplitSeq(name, "/") {
				if c, err := os.ReadFile(filepath.Join(cur, "cgroup.controllers")); err == nil {
					for f := range strings.FieldsSeq(string(c)) {
						_ = os.WriteFile(filepath.Join(cur, "cgroup.subtree_control"), []byte("+"+f), 0o644)
					}
				}
				cur = filepath.Join(cur, part)
				_ = os.Mkdir(cur, 0o755)
			}
		} else {
			cur := m.path
			for part := range strings.SplitSeq(name, "/") {
				next := filepath.Join(cur, part)
				_ = os.Mkdir(next, 0o755)
				if slices.Contains(m.opts, "cpuset") {
					for _, f := range []string{"cpuset.cpus", "cpuset.mems"} {
						if v, err := os.ReadFile(filepath.Join(cur, f)); err == nil {
							_ = os.WriteFile(filepath.Join(next, f), v, 0o644)
						}
					}
				}
				cur = next
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(os.Getpid())), 0o644); err != nil {
			return fmt.Errorf("join cgroup %s: %w", dir, err)
		}
	}
	return nil
}

// leaveCgroups moves this process out of the node's cgroup again where that
// matters: in cgroup v2 a group with processes of its own cannot hand controllers
// down, and machined only moves the processes it knows.
func leaveCgroups(name string) {
	for _, m := range usable(cgroupMounts()) {
		if m.v2 {
			dir := filepath.Join(m.path, name+".supervisor")
			_ = os.Mkdir(dir, 0o755)
			_ = os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(os.Getpid())), 0o644)
		}
	}
}

// cleanNetwork removes what a node has added to its network namespace, which
// this process shares and which outlives a reboot.
func cleanNetwork() {
	out, _ := exec.Command("ip", "-o", "link", "show").Output()
	for line := range strings.SplitSeq(string(out), "\n") {
		if f := strings.Fields(line); len(f) > 1 {
			name, _, _ := strings.Cut(strings.TrimSuffix(f[1], ":"), "@")
			if name != "lo" && name != "eth0" {
				_ = exec.Command("ip", "link", "del", name).Run()
			}
		}
	}
	out, _ = exec.Command("ip", "-o", "-4", "addr", "show", "dev", "eth0").Output()
	for f := range strings.FieldsSeq(string(out)) {
		if strings.HasSuffix(f, "/32") {
			_ = exec.Command("ip", "addr", "del", f, "dev", "eth0").Run()
		}
	}
}

// emptyCgroups removes what a dead node left below its own cgroup.
func emptyCgroups(name string) {
	for _, m := range usable(cgroupMounts()) {
		top := filepath.Join(m.path, name)
		for range 20 {
			var dirs []string
			_ = filepath.WalkDir(top, func(p string, d os.DirEntry, err error) error {
				if err == nil && d.IsDir() && p != top {
					dirs = append(dirs, p)
				}
				return nil
			})
			if len(dirs) == 0 {
				break
			}
			slices.Reverse(dirs)
			for _, d := range dirs {
				_ = syscall.Rmdir(d)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}
