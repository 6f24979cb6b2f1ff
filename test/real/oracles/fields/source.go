package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// source reads the same from the text of a module that cannot be built here.
type source struct {
	types   map[string]ast.Expr
	methods map[string]bool
	words   map[string]string
	aliases map[string]bool
	imports map[string]string
	seen    map[string]string
	kinds   map[string]string
}

func printSource(folder string) error {
	from := &source{
		types:   map[string]ast.Expr{},
		methods: map[string]bool{},
		words:   map[string]string{},
		aliases: map[string]bool{},
		imports: map[string]string{},
		seen:    map[string]string{},
		kinds:   map[string]string{},
	}

	for _, part := range []string{"config/types", "config/config", "nethelpers", "cel", "resources/block", "resources/storage"} {
		err := filepath.WalkDir(filepath.Join(folder, part), from.read)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}

	from.see("v1alpha1.Config")

	lines := []string{}

	for constant, typ := range from.kinds {
		kind := from.words[constant]
		if strings.HasPrefix(constant, `"`) || kind == "" || kind == "v1alpha1" {
			continue
		}

		how := ""
		if from.methods[typ+".Name"] {
			how = " named"
		}

		lines = append(lines, "kind "+kind+" "+from.see(typ)+how)
	}

	for _, line := range from.seen {
		if line != "" {
			lines = append(lines, line)
		}
	}

	slices.Sort(lines)

	for _, line := range lines {
		fmt.Println(line)
	}

	return nil
}

func (from *source) read(path string, entry fs.DirEntry, err error) error {
	if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
		return err
	}

	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		return err
	}

	here := file.Name.Name + "."

	for _, imported := range file.Imports {
		if imported.Name != nil {
			path, _ := strconv.Unquote(imported.Path.Value)
			from.imports[imported.Name.Name] = filepath.Base(path)
		}
	}

	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				from.declare(here, spec)
			}
		case *ast.FuncDecl:
			if decl.Recv != nil {
				from.methods[here+named1(decl.Recv.List[0].Type)+"."+decl.Name.Name] = true
			}

			ast.Inspect(decl, func(node ast.Node) bool { from.register(here, node); return true })
		}
	}

	return nil
}

func (from *source) declare(here string, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		// The types of documents are read first; others may have a package of the same name.
		if _, ok := from.types[here+spec.Name.Name]; ok {
			return
		}

		// A name for the type of that other package.
		if other, ok := spec.Type.(*ast.SelectorExpr); ok && spec.Assign.IsValid() && other.Sel.Name == spec.Name.Name {
			return
		}

		from.types[here+spec.Name.Name] = spec.Type
		from.aliases[here+spec.Name.Name] = spec.Assign.IsValid()
	case *ast.ValueSpec:
		for i, name := range spec.Names {
			if i < len(spec.Values) {
				if lit, ok := spec.Values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
					from.words[here+name.Name], _ = strconv.Unquote(lit.Value)
				}
			}
		}
	}
}

// register finds registry.Register(Kind, func … { … return &Type{} … }).
func (from *source) register(here string, node ast.Node) {
	call, ok := node.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return
	}

	if sel, ok := call.Fun.(*ast.SelectorExpr); !ok || sel.Sel.Name != "Register" {
		return
	}

	kind, ok := call.Args[0].(*ast.Ident)
	if !ok {
		return
	}

	ast.Inspect(call.Args[1], func(node ast.Node) bool {
		if lit, ok := node.(*ast.CompositeLit); ok {
			from.kinds[here+kind.Name] = here + named1(lit.Type)
		}

		return true
	})
}

func named1(expr ast.Expr) string {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		return named1(expr.X)
	case *ast.Ident:
		return expr.Name
	default:
		return ""
	}
}

func (from *source) see(name string) string {
	if _, ok := from.seen[name]; ok {
		return name
	}

	expr, ok := from.types[name]
	if !ok {
		return name
	}

	here := name[:strings.Index(name, ".")+1]
	if from.aliases[name] {
		return from.written(here, expr)
	}

	from.seen[name] = ""
	marks := ""

	if from.methods[name+".Merge"] {
		marks += " merges"
	}

	if from.methods[name+".UnmarshalYAML"] || from.methods[name+".UnmarshalText"] || wrapsAddress(expr) {
		marks += " text"
	}

	if fields, ok := expr.(*ast.StructType); ok {
		from.seen[name] = "type " + name + ": struct" + marks + " " + strings.Join(from.fields(here, fields), " ")
	} else {
		from.seen[name] = "type " + name + ": " + from.written(here, expr) + marks
	}

	return name
}

// wrapsAddress tells a structure that reads text because of the address inside of it.
func wrapsAddress(expr ast.Expr) bool {
	typ, ok := expr.(*ast.StructType)
	if !ok || len(typ.Fields.List) != 1 || len(typ.Fields.List[0].Names) != 0 {
		return false
	}

	sel, ok := typ.Fields.List[0].Type.(*ast.SelectorExpr)

	return ok && sel.X.(*ast.Ident).Name == "netip"
}

func (from *source) fields(here string, typ *ast.StructType) []string {
	lines := []string{}

	for _, field := range typ.Fields.List {
		tag := ""
		merge := ""

		if field.Tag != nil {
			text, _ := strconv.Unquote(field.Tag.Value)
			tag = reflect.StructTag(text).Get("yaml")
			merge = reflect.StructTag(text).Get("merge")
		}

		parts := strings.Split(tag, ",")

		switch {
		case tag == "" || tag == "-":
		case slices.Contains(parts[1:], "inline"):
			lines = append(lines, "<:"+from.written(here, field.Type))
		default:
			omit, replace := "", ""
			if slices.Contains(parts[1:], "omitempty") {
				omit = "?"
			}

			if merge == "replace" {
				replace = "!"
			}

			lines = append(lines, parts[0]+omit+":"+replace+from.written(here, field.Type))
		}
	}

	return lines
}

func (from *source) written(here string, expr ast.Expr) string {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		return "*" + from.written(here, expr.X)
	case *ast.ArrayType:
		return "[]" + from.written(here, expr.Elt)
	case *ast.MapType:
		return "{" + from.written(here, expr.Key) + "}" + from.written(here, expr.Value)
	case *ast.SelectorExpr:
		name := expr.X.(*ast.Ident).Name

		return from.see(cmp.Or(from.imports[name], name) + "." + expr.Sel.Name)
	case *ast.Ident:
		switch expr.Name {
		case "byte":
			return "uint8"
		case "any", "string", "bool", "float64", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64":
			return expr.Name
		default:
			return from.see(here + expr.Name)
		}
	default:
		return "any"
	}
}
