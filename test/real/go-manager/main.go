// A controller manager on controller-runtime, as most operators are: typed caches, built-in kinds in protobuf, leader election. It says
// when it leads and what it reconciled, a line each, and runs until it is killed.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

type copier struct{ client.Client }

// Reconcile marks each ConfigMap of the namespace, once.
func (c *copier) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	if request.Namespace != "managed" {
		return ctrl.Result{}, nil
	}
	object := &corev1.ConfigMap{}
	if err := c.Get(ctx, request.NamespacedName, object); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if object.Labels["seen-by"] == "" {
		before := object.DeepCopy()
		object.Labels = map[string]string{"seen-by": os.Args[2]}
		if err := c.Patch(ctx, object, client.MergeFrom(before)); err != nil {
			return ctrl.Result{}, err
		}
		fmt.Println("reconciled", request.Name)
	}
	return ctrl.Result{}, nil
}

func main() {
	ctrl.SetLogger(zap.New())
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	must(err)
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	lease, renew, retry := 3*time.Second, 2*time.Second, 500*time.Millisecond
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Metrics:                 server.Options{BindAddress: "0"},
		LeaderElection:          true,
		LeaderElectionID:        "go-manager",
		LeaderElectionNamespace: "managed",
		LeaseDuration:           &lease,
		RenewDeadline:           &renew,
		RetryPeriod:             &retry,
	})
	must(err)
	must(ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).Complete(&copier{manager.GetClient()}))
	go func() {
		<-manager.Elected()
		fmt.Println("leading")
	}()
	fmt.Println("started")
	must(manager.Start(ctrl.SetupSignalHandler()))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
