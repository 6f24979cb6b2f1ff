// The judge of ichor's reader of .tfvars files: HashiCorp's own parser. It reads a file from standard input and prints
// its variables as JSON, or {"error": true} when Terraform would refuse it.
package main

import (
	"encoding/json"
	"io"
	"log"
	"os"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	var answer any = map[string]bool{"error": true}
	if variables, ok := read(text); ok {
		answer = map[string]any{"variables": variables}
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		log.Fatal(err)
	}
}

func read(text []byte) (map[string]any, bool) {
	file, diagnostics := hclsyntax.ParseConfig(text, "stdin", hcl.InitialPos)
	if diagnostics.HasErrors() {
		return nil, false
	}
	attributes, diagnostics := file.Body.JustAttributes()
	if diagnostics.HasErrors() {
		return nil, false
	}
	variables := map[string]any{}
	for name, attribute := range attributes {
		value, diagnostics := attribute.Expr.Value(nil)
		if diagnostics.HasErrors() {
			return nil, false
		}
		variables[name] = plain(value)
	}
	return variables, true
}

// plain is the value as JSON has it; numbers keep all their digits.
func plain(value cty.Value) any {
	if value.IsNull() {
		return nil
	}
	kind := value.Type()
	switch {
	case kind == cty.String:
		return value.AsString()
	case kind == cty.Bool:
		return value.True()
	case kind == cty.Number:
		return json.Number(value.AsBigFloat().Text('f', -1))
	case kind.IsTupleType():
		items := []any{}
		for iterator := value.ElementIterator(); iterator.Next(); {
			_, item := iterator.Element()
			items = append(items, plain(item))
		}
		return items
	case kind.IsObjectType():
		entries := map[string]any{}
		for iterator := value.ElementIterator(); iterator.Next(); {
			key, entry := iterator.Element()
			entries[key.AsString()] = plain(entry)
		}
		return entries
	default:
		log.Fatalf("a literal cannot be of type %s", kind.FriendlyName())
		return nil
	}
}
