// Command nodebox runs a Talos Linux node in container mode with nothing but
// Linux namespaces: it takes the place a container engine has in
// `talosctl cluster create docker`.
//
// It is one static binary with several faces:
//
//	nodebox supervise SPEC   keep a node running (restart it when it reboots)
//	nodebox boot SPEC        first process inside the new namespaces (internal)
//	nodebox image ...        pack files into an OCI image below a directory
//	nodebox registry ...     serve such a directory as an OCI registry (read only)
//	runc ...                 (by name) adapt a bundle to this kernel, then the real runc
//	pause                    (by name) the process of a pod sandbox
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	switch filepath.Base(os.Args[0]) {
	case "runc":
		fail(runcMain(os.Args[1:]))
		return
	case "pause":
		pauseMain()
		return
	}
	if len(os.Args) < 2 {
		fail(fmt.Errorf("usage: nodebox supervise|boot|image|registry ..."))
	}
	switch os.Args[1] {
	case "supervise":
		fail(superviseMain(os.Args[2:]))
	case "boot":
		fail(bootMain(os.Args[2:]))
	case "image":
		fail(imageMain(os.Args[2:]))
	case "registry":
		fail(registryMain(os.Args[2:]))
	default:
		fail(fmt.Errorf("unknown subcommand %q", os.Args[1]))
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "nodebox:", err)
		os.Exit(1)
	}
}
