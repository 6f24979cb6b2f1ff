// Answers what Talos' own loader and validation say about configurations.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/cosi-project/runtime/pkg/state"
	"github.com/cosi-project/runtime/pkg/state/impl/inmem"
	"github.com/cosi-project/runtime/pkg/state/impl/namespaced"

	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configdiff"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
	"github.com/siderolabs/talos/pkg/machinery/resources/block"
	"github.com/siderolabs/talos/pkg/machinery/version"
)

func main() {
	version.Tag = "v1.13.9"

	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type question struct {
	Text      string   `json:"text"`
	Mode      string   `json:"mode"`
	Installed bool     `json:"installed"`
	Disks     []string `json:"disks"`
	// Given: what changes from this one.
	Old *string `json:"old"`
}

type answer struct {
	Refused  bool     `json:"refused"`
	Message  string   `json:"message"`
	Warnings []string `json:"warnings"`
	Complete bool     `json:"complete"`
	Diff     string   `json:"diff"`
}

// As a node decides it: an installed one needs no install section.
type mode struct {
	name      string
	installed bool
}

func (m mode) String() string        { return m.name }
func (m mode) RequiresInstall() bool { return m.name == "metal" && !m.installed }
func (m mode) InContainer() bool     { return m.name == "container" }

func run() error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)

	out := json.NewEncoder(os.Stdout)

	for lines.Scan() {
		var given question
		if err := json.Unmarshal(lines.Bytes(), &given); err != nil {
			return err
		}

		if err := out.Encode(judge(given)); err != nil {
			return err
		}
	}

	return lines.Err()
}

func judge(given question) (said answer) {
	// A node's server survives this, too, and answers with an internal error.
	defer func() {
		if p := recover(); p != nil {
			said = refused(fmt.Errorf("panic: %v", p))
		}
	}()

	cfg, err := configloader.NewFromBytes([]byte(given.Text))
	if err != nil {
		return refused(err)
	}

	if given.Old != nil {
		return compared(*given.Old, cfg)
	}

	where := mode{given.Mode, given.Installed}

	warnings, err := cfg.Validate(where)
	if err != nil {
		return refused(err)
	}

	ctx := context.Background()

	st, err := withDisks(ctx, given.Disks)
	if err != nil {
		return refused(err)
	}

	more, err := cfg.RuntimeValidate(ctx, st, where)
	if err != nil {
		return refused(err)
	}

	return answer{Warnings: append(warnings, more...), Complete: cfg.CompleteForBoot()}
}

func refused(err error) answer {
	return answer{Refused: true, Message: err.Error()}
}

func compared(old string, cfg config.Provider) answer {
	before, err := configloader.NewFromBytes([]byte(old))
	if err != nil {
		return refused(err)
	}

	diff, err := configdiff.DiffConfigs(before, cfg)
	if err != nil {
		return refused(err)
	}

	return answer{Diff: diff}
}

func withDisks(ctx context.Context, paths []string) (state.State, error) {
	st := state.WrapCore(namespaced.NewState(inmem.Build))

	for _, path := range paths {
		disk := block.NewDisk(block.NamespaceName, path)
		disk.TypedSpec().DevPath = path
		disk.TypedSpec().Size = 10 << 30
		disk.TypedSpec().Model = "QEMU HARDDISK"
		disk.TypedSpec().Transport = "virtio"

		if err := st.Create(ctx, disk); err != nil {
			return nil, err
		}
	}

	system := block.NewSystemDisk(block.NamespaceName, block.SystemDiskID)

	return st, st.Create(ctx, system)
}
