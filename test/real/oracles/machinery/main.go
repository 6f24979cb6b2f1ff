// The judge of ichor's machine configurations: Talos' own types. Built once per minor, with that minor's module.
//
// It reads one JSON object per line and answers each with one:
// {"config", "mode"}: does Talos take this configuration, and how would it write it?
// {"generate"}: what would talosctl of this minor generate from the same secrets?
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
	"github.com/siderolabs/talos/pkg/machinery/config/encoder"
	"github.com/siderolabs/talos/pkg/machinery/config/generate"
	"github.com/siderolabs/talos/pkg/machinery/config/generate/secrets"
	"github.com/siderolabs/talos/pkg/machinery/config/machine"
	"github.com/siderolabs/talos/pkg/machinery/config/validation"
)

type question struct {
	Config   string     `json:"config"`
	Mode     string     `json:"mode"`
	Generate *generated `json:"generate"`
}

type generated struct {
	Name         string `json:"name"`
	Endpoint     string `json:"endpoint"`
	Kubernetes   string `json:"kubernetes"`
	Contract     string `json:"contract"`
	SecretsFile  string `json:"secretsFile"`
	InstallDisk  string `json:"installDisk"`
	InstallImage string `json:"installImage"`
	Role         string `json:"role"`
}

type answer struct {
	Error    string   `json:"error,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Encoded  string   `json:"encoded,omitempty"`
}

// mode is where Talos would run: on metal it must know the disk to install to.
type mode string

func (m mode) String() string        { return string(m) }
func (m mode) RequiresInstall() bool { return m == "metal" }
func (m mode) InContainer() bool     { return false }

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)

	answers := json.NewEncoder(os.Stdout)

	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			log.Fatal(err)
		}

		given, err := reply(asked)
		if err != nil {
			given.Error = err.Error()
		}

		if err := answers.Encode(given); err != nil {
			log.Fatal(err)
		}
	}

	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
}

func reply(asked question) (answer, error) {
	if asked.Generate != nil {
		return generateConfig(*asked.Generate)
	}

	provider, err := configloader.NewFromBytes([]byte(asked.Config))
	if err != nil {
		return answer{}, fmt.Errorf("decode: %w", err)
	}

	warnings, err := provider.Validate(mode(asked.Mode), validation.WithStrict())
	if err != nil {
		return answer{Warnings: warnings}, fmt.Errorf("validate: %w", err)
	}

	// What is read from bytes is given back as those bytes; a copy is written anew.
	encoded, err := provider.Clone().EncodeBytes(encoder.WithComments(encoder.CommentsDisabled))

	return answer{Warnings: warnings, Encoded: string(encoded)}, err
}

func generateConfig(asked generated) (answer, error) {
	bundle, err := secrets.LoadBundle(asked.SecretsFile)
	if err != nil {
		return answer{}, err
	}

	contract, err := config.ParseContractFromVersion(asked.Contract)
	if err != nil {
		return answer{}, err
	}

	input, err := generate.NewInput(
		asked.Name, asked.Endpoint, asked.Kubernetes,
		generate.WithSecretsBundle(bundle),
		generate.WithVersionContract(contract),
		generate.WithInstallDisk(asked.InstallDisk),
		generate.WithInstallImage(asked.InstallImage),
	)
	if err != nil {
		return answer{}, err
	}

	role, err := machine.ParseType(asked.Role)
	if err != nil {
		return answer{}, err
	}

	made, err := input.Config(role)
	if err != nil {
		return answer{}, err
	}

	encoded, err := made.EncodeBytes(encoder.WithComments(encoder.CommentsDisabled))

	return answer{Encoded: string(encoded)}, err
}
