// A controller manager on controller-runtime, as most operators are: typed caches and one of metadata alone, built-in kinds in protobuf,
// leader election, webhooks that default and validate. It says when it leads, when its webhooks serve and what it reconciled, a line each,
// and runs until it is killed. Arguments: kubeconfig, name, port of the webhooks, folder of their certificate.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
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

type noticer struct{ client.Client }

// Reconcile annotates each Secret of the namespace, once, and has never seen what is in it.
func (n *noticer) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	if request.Namespace != "managed" {
		return ctrl.Result{}, nil
	}
	object := &metav1.PartialObjectMetadata{}
	object.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Secret"))
	if err := n.Get(ctx, request.NamespacedName, object); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if object.Annotations["noticed-by"] == "" {
		before := object.DeepCopy()
		object.Annotations = map[string]string{"noticed-by": os.Args[2]}
		if err := n.Patch(ctx, object, client.MergeFrom(before)); err != nil {
			return ctrl.Result{}, err
		}
		fmt.Println("noticed", request.Name)
	}
	return ctrl.Result{}, nil
}

type rules struct{}

func (rules) Default(_ context.Context, object runtime.Object) error {
	config := object.(*corev1.ConfigMap)
	if config.Annotations == nil {
		config.Annotations = map[string]string{}
	}
	config.Annotations["defaulted-by"] = os.Args[2]
	return nil
}

func (rules) ValidateCreate(_ context.Context, object runtime.Object) (admission.Warnings, error) {
	if object.(*corev1.ConfigMap).Data["forbidden"] != "" {
		return nil, fmt.Errorf("no data may be forbidden")
	}
	return admission.Warnings{"looked at by " + os.Args[2]}, nil
}

func (rules) ValidateUpdate(context.Context, runtime.Object, runtime.Object) (admission.Warnings, error) {
	return nil, nil
}

func (rules) ValidateDelete(context.Context, runtime.Object) (admission.Warnings, error) {
	return nil, nil
}

func main() {
	ctrl.SetLogger(zap.New())
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	must(err)
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	port, err := strconv.Atoi(os.Args[3])
	must(err)
	lease, renew, retry := 3*time.Second, 2*time.Second, 500*time.Millisecond
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Metrics:                 server.Options{BindAddress: "0"},
		WebhookServer:           webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, CertDir: os.Args[4]}),
		LeaderElection:          true,
		LeaderElectionID:        "go-manager",
		LeaderElectionNamespace: "managed",
		LeaseDuration:           &lease,
		RenewDeadline:           &renew,
		RetryPeriod:             &retry,
	})
	must(err)
	must(ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).Complete(&copier{manager.GetClient()}))
	must(ctrl.NewControllerManagedBy(manager).For(&corev1.Secret{}, builder.OnlyMetadata).Complete(&noticer{manager.GetClient()}))
	must(ctrl.NewWebhookManagedBy(manager).For(&corev1.ConfigMap{}).WithDefaulter(rules{}).WithValidator(rules{}).Complete())
	go func() {
		for manager.GetWebhookServer().StartedChecker()(nil) != nil {
			time.Sleep(20 * time.Millisecond)
		}
		fmt.Println("serving")
	}()
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
