// Reads schematics as a list of JSON and prints the text of each, as the YAML library of the Image Factory writes it.
package main

import (
	"encoding/json"
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
	} `yaml:"customization"`
}

func main() {
	var given []schematic

	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}

	texts := make([]string, len(given))

	for i, each := range given {
		text, err := yaml.Marshal(each)
		if err != nil {
			panic(err)
		}

		texts[i] = string(text)
	}

	if err := json.NewEncoder(os.Stdout).Encode(texts); err != nil {
		panic(err)
	}
}
