// Kubeconfigs as Talos' nodes make them, and as talosctl merges them. One JSON object per line, one answer each:
// {"generate"}: the kubeconfig that a node with this authority hands out
// {"merge"}: one kubeconfig put into another
package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"os"
	"time"

	"github.com/siderolabs/crypto/x509"
	merging "github.com/siderolabs/go-kubeconfig"
	"github.com/siderolabs/talos/pkg/kubeconfig"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

type question struct {
	Generate *generation `json:"generate"`
	Merge    *merge      `json:"merge"`
}

type generation struct {
	Cluster  string `json:"cluster"`
	Endpoint string `json:"endpoint"`
	Crt      string `json:"crt"`
	Key      string `json:"key"`
}

type merge struct {
	Existing string `json:"existing"`
	Added    string `json:"added"`
	Conflict string `json:"conflict"`
}

func main() {
	questions := json.NewDecoder(os.Stdin)
	answers := json.NewEncoder(os.Stdout)

	for questions.More() {
		var asked question

		must(questions.Decode(&asked))

		if asked.Generate != nil {
			must(answers.Encode(asked.Generate.answer()))
		} else {
			must(answers.Encode(asked.Merge.answer()))
		}
	}
}

func (g *generation) answer() string {
	var text bytes.Buffer

	must(kubeconfig.Generate(&kubeconfig.GenerateInput{
		ClusterName:         g.Cluster,
		IssuingCA:           &x509.PEMEncodedCertificateAndKey{Crt: []byte(g.Crt), Key: []byte(g.Key)},
		AcceptedCAs:         []*x509.PEMEncodedCertificate{{Crt: []byte(g.Crt)}},
		CertificateLifetime: 365 * 24 * time.Hour,
		CommonName:          "admin",
		Organization:        "system:masters",
		Endpoint:            g.Endpoint,
		Username:            "admin",
		ContextName:         "admin",
	}, &text))

	return text.String()
}

func (m *merge) answer() string {
	existing, err := clientcmd.Load([]byte(m.Existing))
	must(err)

	added, err := clientcmd.Load([]byte(m.Added))
	must(err)

	merger := (*merging.Merger)(existing)
	decide := func(merging.ConfigComponent, string) (merging.ConflictDecision, error) {
		return merging.ConflictDecision(m.Conflict), nil
	}

	must(merger.Merge(added, merging.MergeOptions{
		ActivateContext: true,
		ConflictHandler: decide,
		OutputWriter:    io.Discard,
	}))

	text, err := clientcmd.Write(clientcmdapi.Config(*merger))
	must(err)

	return string(text)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
