// Reads schematics, one JSON object per line, and answers each with its text as the YAML library of the Image Factory
// writes it.
package main

import (
	"encoding/json"
	"log"
	"os"

	"go.yaml.in/yaml/v4"
)

type schematic struct {
	Customization struct {
		Embedded        string   `json:"embeddedMachineConfiguration" yaml:"embeddedMachineConfiguration,omitempty"`
		ExtraKernelArgs []string `json:"extraKernelArgs" yaml:"extraKernelArgs,omitempty"`
		Meta            []struct {
			Key   uint8  `json:"key" yaml:"key"`
			Value string `json:"value" yaml:"value"`
		} `json:"meta" yaml:"meta,omitempty"`
	} `json:"customization" yaml:"customization"`
}

func main() {
	questions := json.NewDecoder(os.Stdin)
	answers := json.NewEncoder(os.Stdout)

	for questions.More() {
		var given schematic

		if err := questions.Decode(&given); err != nil {
			log.Fatal(err)
		}

		text, err := yaml.Marshal(given)
		if err != nil {
			log.Fatal(err)
		}

		if err := answers.Encode(string(text)); err != nil {
			log.Fatal(err)
		}
	}
}
