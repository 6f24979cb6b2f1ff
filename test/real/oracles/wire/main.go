// Prints the descriptors compiled into Talos' and COSI's own Go modules, as one binary FileDescriptorSet.
package main

import (
	"log"
	"os"

	_ "github.com/cosi-project/runtime/api/v1alpha1"
	_ "github.com/siderolabs/talos/pkg/machinery/api/cluster"
	_ "github.com/siderolabs/talos/pkg/machinery/api/common"
	_ "github.com/siderolabs/talos/pkg/machinery/api/inspect"
	_ "github.com/siderolabs/talos/pkg/machinery/api/machine"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/config"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/block"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/cluster"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/cri"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/enums"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/etcd"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/extensions"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/files"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/hardware"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/k8s"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/kubeaccess"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/kubespan"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/network"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/perf"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/proto"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/runtime"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/secrets"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/security"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/siderolink"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/time"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/definitions/v1alpha1"
	_ "github.com/siderolabs/talos/pkg/machinery/api/resource/network"
	_ "github.com/siderolabs/talos/pkg/machinery/api/security"
	_ "github.com/siderolabs/talos/pkg/machinery/api/storage"
	_ "github.com/siderolabs/talos/pkg/machinery/api/time"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

func main() {
	set := &descriptorpb.FileDescriptorSet{}
	done := map[string]bool{}

	var add func(file protoreflect.FileDescriptor)
	add = func(file protoreflect.FileDescriptor) {
		if done[file.Path()] {
			return
		}
		done[file.Path()] = true
		for i := range file.Imports().Len() {
			add(file.Imports().Get(i).FileDescriptor)
		}
		set.File = append(set.File, protodesc.ToFileDescriptorProto(file))
	}

	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		add(file)
		return true
	})

	encoded, err := proto.Marshal(set)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := os.Stdout.Write(encoded); err != nil {
		log.Fatal(err)
	}
}
