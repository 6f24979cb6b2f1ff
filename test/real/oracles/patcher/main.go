// Command patcher answers what the machinery of Talos makes of a configuration: one JSON object per line in, one out.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/siderolabs/talos/pkg/machinery/config/configdiff"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
	"github.com/siderolabs/talos/pkg/machinery/config/configpatcher"
	"github.com/siderolabs/talos/pkg/machinery/config/encoder"
)

type question struct {
	// Config is what Patches are laid over.
	Config  string   `json:"config"`
	Patches []string `json:"patches"`
	// Read asks for this text as Talos writes it after reading.
	Read string `json:"read"`
	// Diff asks for the text of the change from Config to this.
	Diff string `json:"diff"`
}

type answer struct {
	// Patched is what talosctl prints, Seen what a node reads there.
	Patched string `json:"patched,omitempty"`
	Seen    string `json:"seen,omitempty"`
	Refused string `json:"refused,omitempty"`
	Read    string `json:"read,omitempty"`
	Unread  string `json:"unread,omitempty"`
	Diff    string `json:"diff,omitempty"`
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)

	out := json.NewEncoder(os.Stdout)

	for in.Scan() {
		var asked question

		must(json.Unmarshal(in.Bytes(), &asked))

		var given answer

		if len(asked.Patches) > 0 {
			given.Patched, given.Refused = said(func() (string, error) { return patch(asked.Config, asked.Patches) })
			if given.Refused == "" {
				given.Seen, given.Refused = said(func() (string, error) { return read(given.Patched) })
			}
		}

		if asked.Read != "" {
			given.Read, given.Unread = said(func() (string, error) { return read(asked.Read) })
		}

		if asked.Diff != "" {
			given.Diff, given.Unread = said(func() (string, error) { return diff(asked.Config, asked.Diff) })
		}

		must(out.Encode(given))
	}

	must(in.Err())
}

// said turns a panic into words: talosctl ends with it, which is a refusal too.
func said(ask func() (string, error)) (text, refused string) {
	defer func() {
		if caught := recover(); caught != nil {
			text, refused = "", fmt.Sprintf("panic: %v", caught)
		}
	}()

	text, err := ask()
	if err != nil {
		return "", "error: " + err.Error()
	}

	return text, ""
}

// patch does what `talosctl machineconfig patch` does.
func patch(config string, texts []string) (string, error) {
	patches, err := configpatcher.LoadPatches(texts)
	if err != nil {
		return "", err
	}

	patched, err := configpatcher.Apply(configpatcher.WithBytes([]byte(config)), patches)
	if err != nil {
		return "", err
	}

	text, err := patched.Bytes()

	return string(text), err
}

func read(text string) (string, error) {
	cfg, err := configloader.NewFromBytes([]byte(text))
	if err != nil {
		return "", err
	}

	written, err := cfg.Clone().EncodeBytes(encoder.WithComments(encoder.CommentsDisabled))

	return string(written), err
}

func diff(from, to string) (string, error) {
	before, err := configloader.NewFromBytes([]byte(from))
	if err != nil {
		return "", err
	}

	after, err := configloader.NewFromBytes([]byte(to))
	if err != nil {
		return "", err
	}

	return configdiff.DiffConfigs(before, after)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
