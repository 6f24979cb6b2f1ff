// Command fields prints the fields of every document that Talos decodes, one Go type per line.
// The kinds to look at are its arguments; what this Talos does not know is left out. With --source it reads the text of
// a module instead.
package main

import (
	"encoding"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
)

var (
	text   = reflect.TypeFor[encoding.TextUnmarshaler]()
	named  = reflect.TypeFor[interface{ Name() string }]()
	merger = reflect.TypeFor[interface{ Merge(any) error }]()
	words  = reflect.TypeFor[fmt.Stringer]()
)

var seen = map[reflect.Type]string{}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "--source" {
		if err := printSource(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}

		return
	}

	see(reflect.TypeOf(document("version: v1alpha1\nmachine: {}\n")).Elem())

	for _, kind := range os.Args[1:] {
		doc := document("apiVersion: v1alpha1\nkind: " + kind + "\n")
		if doc == nil {
			continue
		}

		typ := reflect.TypeOf(doc)
		how := ""

		if typ.Implements(named) {
			how = " named"
		}

		fmt.Printf("kind %s %s%s\n", kind, see(typ.Elem()), how)
	}

	lines := []string{}
	for _, line := range seen {
		lines = append(lines, line)
	}

	slices.Sort(lines)

	for _, line := range slices.Compact(lines) {
		if line != "" {
			fmt.Println(line)
		}
	}
}

func document(source string) any {
	cfg, err := configloader.NewFromBytes([]byte(source))
	if err != nil {
		return nil
	}

	return cfg.Documents()[0]
}

// see names a type as the table writes it, and remembers what is inside of it.
func see(typ reflect.Type) string {
	switch typ.Kind() {
	case reflect.Pointer:
		return "*" + see(typ.Elem())
	case reflect.Slice, reflect.Array:
		if typ.Name() == "" {
			return "[]" + see(typ.Elem())
		}
	case reflect.Map:
		if typ.Name() == "" {
			return "{" + see(typ.Key()) + "}" + see(typ.Elem())
		}
	case reflect.Interface:
		return "any"
	}

	name := typ.String()
	if typ.PkgPath() == "" {
		return name
	}

	if _, ok := seen[typ]; ok {
		return name
	}

	seen[typ] = ""
	seen[typ] = "type " + name + ": " + inside(typ)

	return name
}

func inside(typ reflect.Type) string {
	ptr := reflect.PointerTo(typ)
	marks := ""

	if ptr.Implements(merger) {
		marks += " merges"
	}

	_, custom := ptr.MethodByName("UnmarshalYAML")

	if custom || ptr.Implements(text) {
		marks += " text"
	}

	if custom {
		marks += " yaml"
	}

	if typ.Implements(words) && typ.Kind() != reflect.Struct && typ.Kind() != reflect.Slice {
		marks += fmt.Sprintf(" zero=%q", reflect.Zero(typ).Interface())
	}

	switch typ.Kind() {
	case reflect.Struct:
		return "struct" + marks + " " + strings.Join(fields(typ), " ")
	case reflect.Slice:
		return "[]" + see(typ.Elem()) + marks
	case reflect.Map:
		return "{" + see(typ.Key()) + "}" + see(typ.Elem()) + marks
	default:
		return typ.Kind().String() + marks
	}
}

func fields(typ reflect.Type) []string {
	lines := []string{}

	for field := range typ.Fields() {
		tag := strings.Split(field.Tag.Get("yaml"), ",")
		inline := len(tag) > 1 && slices.Contains(tag[1:], "inline")

		switch {
		case !field.IsExported():
			lines = append(lines, "-"+field.Name+":"+shallow(field.Type))
		case tag[0] == "-":
		case field.Tag.Get("yaml") == "":
			lines = append(lines, "~"+strings.ToLower(field.Name)+":"+see(field.Type))
		case inline:
			lines = append(lines, "<:"+see(field.Type))
		default:
			name := tag[0]
			if name == "" {
				name = strings.ToLower(field.Name)
			}

			omit := ""
			if len(tag) > 1 && slices.Contains(tag[1:], "omitempty") {
				omit = "?"
			}

			replace := ""
			if field.Tag.Get("merge") == "replace" {
				replace = "!"
			}

			lines = append(lines, name+omit+":"+replace+see(field.Type))
		}
	}

	return lines
}

func shallow(typ reflect.Type) string { return strings.ReplaceAll(typ.String(), " ", "") }
