// Answers what Talos' own resource types are, and how they write what they read.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/cosi-project/runtime/api/v1alpha1"
	"github.com/cosi-project/runtime/pkg/resource/meta"
	"github.com/cosi-project/runtime/pkg/resource/protobuf"
)

func main() {
	ask := rewritten
	if len(os.Args) > 1 && os.Args[1] == "definitions" {
		ask = definitions
	}

	if err := ask(json.NewEncoder(os.Stdout)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type definition struct {
	Type      string      `json:"type"`
	One       string      `json:"one"`
	Namespace string      `json:"namespace"`
	People    []string    `json:"people"`
	All       []string    `json:"all"`
	Columns   [][2]string `json:"columns"`
	Sensitive bool        `json:"sensitive"`
	Proto     []byte      `json:"proto"`
	YAML      string      `json:"yaml"`
}

func definitions(out *json.Encoder) error {
	all := []definition{}

	for _, r := range registered() {
		spec := r.ResourceDefinition()

		rd, err := meta.NewResourceDefinition(spec)
		if err != nil {
			return err
		}

		spec = *rd.TypedSpec()
		columns := [][2]string{}

		for _, c := range spec.PrintColumns {
			columns = append(columns, [2]string{c.Name, c.JSONPath})
		}

		written, err := protobuf.FromResource(rd)
		if err != nil {
			return err
		}

		marshaled, err := written.Marshal()
		if err != nil {
			return err
		}

		all = append(all, definition{
			spec.Type, spec.DisplayType, spec.DefaultNamespace, spec.Aliases, spec.AllAliases, columns,
			spec.Sensitivity == meta.Sensitive, marshaled.Spec.ProtoSpec, marshaled.Spec.YamlSpec,
		})
	}

	return out.Encode(all)
}

type spec struct {
	Namespace string `json:"namespace"`
	Type      string `json:"type"`
	ID        string `json:"id"`
	Proto     []byte `json:"proto"`
}

type answer struct {
	Proto []byte `json:"proto"`
	YAML  string `json:"yaml"`
	Error string `json:"error"`
}

func rewritten(out *json.Encoder) error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)

	for lines.Scan() {
		var given spec
		if err := json.Unmarshal(lines.Bytes(), &given); err != nil {
			return err
		}

		said, err := rewrite(given)
		if err != nil {
			said = answer{Error: err.Error()}
		}

		if err := out.Encode(said); err != nil {
			return err
		}
	}

	return lines.Err()
}

func rewrite(given spec) (answer, error) {
	read, err := protobuf.Unmarshal(&v1alpha1.Resource{
		Metadata: &v1alpha1.Metadata{
			Namespace: given.Namespace, Type: given.Type, Id: given.ID, Version: "1", Phase: "running",
		},
		Spec: &v1alpha1.Spec{ProtoSpec: given.Proto},
	})
	if err != nil {
		return answer{}, err
	}

	typed, err := protobuf.UnmarshalResource(read)
	if err != nil {
		return answer{}, err
	}

	written, err := protobuf.FromResource(typed)
	if err != nil {
		return answer{}, err
	}

	marshaled, err := written.Marshal()
	if err != nil {
		return answer{}, err
	}

	return answer{Proto: marshaled.Spec.ProtoSpec, YAML: marshaled.Spec.YamlSpec}, nil
}
