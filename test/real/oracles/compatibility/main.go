// Says which versions go together, as Talos' own tables have it. One JSON object per line, one answer each:
// {"installer", "running"}: may this Talos be installed over that one?
// {"talos", "kubernetes"}: does this Talos run that Kubernetes?
package main

import (
	"encoding/json"
	"log"
	"os"

	"github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/compatibility"
)

type question struct {
	Installer  string `json:"installer"`
	Running    string `json:"running"`
	Talos      string `json:"talos"`
	Kubernetes string `json:"kubernetes"`
}

func main() {
	questions := json.NewDecoder(os.Stdin)
	answers := json.NewEncoder(os.Stdout)

	for questions.More() {
		var asked question

		if err := questions.Decode(&asked); err != nil {
			log.Fatal(err)
		}

		if err := answers.Encode(asked.answer()); err != nil {
			log.Fatal(err)
		}
	}
}

func (q question) answer() bool {
	if q.Installer != "" {
		return talos(q.Installer).UpgradeableFrom(talos(q.Running)) == nil
	}

	kubernetes, err := compatibility.ParseKubernetesVersion(q.Kubernetes)
	if err != nil {
		log.Fatal(err)
	}

	return kubernetes.SupportedWith(talos(q.Talos)) == nil
}

func talos(tag string) *compatibility.TalosVersion {
	version, err := compatibility.ParseTalosVersion(&machine.VersionInfo{Tag: tag})
	if err != nil {
		log.Fatal(err)
	}

	return version
}
