package main

import (
	"encoding/json"
	"io"
	"os"
	"strconv"
	"strings"
)

// Spec describes one node.
type Spec struct {
	Name   string   `json:"name"`   // host name of the node
	Rootfs string   `json:"rootfs"` // directory with the shared, read-only root file system
	State  string   `json:"state"`  // directory that outlives a reboot: volumes and etc files
	Run    string   `json:"run"`    // directory that does not: mount point, pid files
	Env    []string `json:"env"`    // environment of machined
	Cgroup string   `json:"cgroup"` // path of the node below every cgroup hierarchy
}

func readSpec(path string) (*Spec, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := &Spec{}
	return s, json.Unmarshal(b, s)
}

// untilOwnerIsGone waits until standard input ends. A pipe ends with the process
// that holds it, however that process ended, so nothing here outlives its test.
func untilOwnerIsGone() { _, _ = io.Copy(io.Discard, os.Stdin) }

const capSysResource = 24

// boundingSet returns the capability bounding set of this process.
func boundingSet() uint64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return ^uint64(0)
	}
	for line := range strings.SplitSeq(string(b), "\n") {
		if v, ok := strings.CutPrefix(line, "CapBnd:"); ok {
			n, err := strconv.ParseUint(strings.TrimSpace(v), 16, 64)
			if err == nil {
				return n
			}
		}
	}
	return ^uint64(0)
}

func hasCap(n int) bool { return boundingSet()&(1<<n) != 0 }
