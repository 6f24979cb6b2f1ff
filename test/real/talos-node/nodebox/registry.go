package main

import (
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// registryMain serves an image store over plain HTTP: the pull half of the OCI
// distribution interface, and nothing else.
func registryMain(args []string) error {
	fl := flag.NewFlagSet("registry", flag.ContinueOnError)
	dir := fl.String("dir", "", "directory of the image store")
	addr := fl.String("addr", "", "address to listen on")
	if err := fl.Parse(args); err != nil {
		return err
	}
	if *dir == "" || *addr == "" {
		return errors.New("registry needs -dir and -addr")
	}
	go func() {
		untilOwnerIsGone()
		os.Exit(0)
	}()
	fmt.Println("registry on", *addr)
	return http.ListenAndServe(*addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status := serveRegistry(*dir, w, r)
		fmt.Println(r.Method, r.URL.Path, r.URL.RawQuery, status)
	}))
}

func serveRegistry(dir string, w http.ResponseWriter, r *http.Request) int {
	w.Header().Set("Docker-Distribution-Api-Version", "registry/2.0")
	rest, ok := strings.CutPrefix(r.URL.Path, "/v2/")
	if !ok || strings.Contains(rest, "..") || (r.Method != http.MethodGet && r.Method != http.MethodHead) {
		http.Error(w, "not here", http.StatusNotFound)
		return http.StatusNotFound
	}
	if rest == "" {
		w.WriteHeader(http.StatusOK)
		return http.StatusOK
	}
	digest, media := "", "application/octet-stream"
	if i := strings.LastIndex(rest, "/manifests/"); i > 0 {
		repo, ref := rest[:i], rest[i+len("/manifests/"):]
		media = mediaManifest
		if strings.HasPrefix(ref, "sha256:") {
			digest = ref
		} else if b, err := os.ReadFile(filepath.Join(dir, "refs", repo, ref)); err == nil {
			digest = strings.TrimSpace(string(b))
		}
	} else if i := strings.LastIndex(rest, "/blobs/"); i > 0 {
		digest = rest[i+len("/blobs/"):]
	}
	f, err := os.Open(filepath.Join(dir, "blobs", digest))
	if digest == "" || err != nil {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"errors":[{"code":"MANIFEST_UNKNOWN","message":"not in this store"}]}`)
		return http.StatusNotFound
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", media)
	w.Header().Set("Docker-Content-Digest", digest)
	w.Header().Set("Etag", `"`+digest+`"`)
	http.ServeContent(w, r, "", info.ModTime(), f)
	return http.StatusOK
}
