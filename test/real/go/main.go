// A small program on client-go, as operators in Go use it: typed clients that send protobuf, an informer, a dynamic informer for a
// custom kind, and leader election. It prints one line per thing that worked, and ends with an error when one does not.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

const namespace = "client-go"

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 40*time.Second)
	defer cancel()
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	must(err)
	// What a controller manager sets: built-in kinds in protobuf.
	typed := *config
	typed.ContentType = "application/vnd.kubernetes.protobuf"
	typed.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	clients := kubernetes.NewForConfigOrDie(&typed)
	dynamicClient := dynamic.NewForConfigOrDie(config)

	_, err = clients.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	must(err)
	typedInformer(ctx, clients)
	customInformer(ctx, dynamicClient)
	apply(ctx, clients)
	elect(ctx, clients)
	fmt.Println("all done")
}

func typedInformer(ctx context.Context, clients kubernetes.Interface) {
	maps := clients.CoreV1().ConfigMaps(namespace)
	made, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "before"}, Data: map[string]string{"a": "1"}}, metav1.CreateOptions{})
	must(err)
	factory := informers.NewSharedInformerFactoryWithOptions(clients, 0, informers.WithNamespace(namespace))
	informer := factory.Core().V1().ConfigMaps()
	seen := make(chan string, 100)
	_, err = informer.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { seen <- "add " + object.(*corev1.ConfigMap).Name },
		UpdateFunc: func(_, object any) { seen <- "update " + object.(*corev1.ConfigMap).Data["a"] },
		DeleteFunc: func(object any) { seen <- "delete" },
	})
	must(err)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	expect(seen, "add before")
	made.Data["a"] = "2"
	_, err = maps.Update(ctx, made, metav1.UpdateOptions{})
	must(err)
	expect(seen, "update 2")
	_, err = maps.Patch(ctx, "before", types.StrategicMergePatchType, []byte(`{"data":{"a":"3"}}`), metav1.PatchOptions{})
	must(err)
	expect(seen, "update 3")
	must(maps.Delete(ctx, "before", metav1.DeleteOptions{}))
	expect(seen, "delete")
	fmt.Println("typed client and informer")
}

func customInformer(ctx context.Context, client dynamic.Interface) {
	definitions := schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	gadgets := schema.GroupVersionResource{Group: "client-go.example.com", Version: "v1", Resource: "gadgets"}
	_, err := client.Resource(definitions).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "gadgets.client-go.example.com"},
		"spec": map[string]any{
			"group": gadgets.Group, "scope": "Namespaced",
			"names": map[string]any{"plural": "gadgets", "kind": "Gadget"},
			"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true,
				"subresources": map[string]any{"status": map[string]any{}},
				"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}},
		},
	}}, metav1.CreateOptions{})
	must(err)
	// Started before the kind is served: an informer must get over that.
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, namespace, nil)
	seen := make(chan string, 100)
	_, err = factory.ForResource(gadgets).Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { seen <- "add " + object.(*unstructured.Unstructured).GetName() },
		UpdateFunc: func(_, object any) {
			phase, _, _ := unstructured.NestedString(object.(*unstructured.Unstructured).Object, "status", "phase")
			seen <- "update " + phase
		},
	})
	must(err)
	factory.Start(ctx.Done())
	gadget := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "client-go.example.com/v1", "kind": "Gadget", "metadata": map[string]any{"name": "g"}}}
	for {
		if _, err = client.Resource(gadgets).Namespace(namespace).Create(ctx, gadget, metav1.CreateOptions{}); err == nil || ctx.Err() != nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	must(err)
	expect(seen, "add g")
	_, err = client.Resource(gadgets).Namespace(namespace).Patch(ctx, "g", types.MergePatchType, []byte(`{"status":{"phase":"Up"}}`), metav1.PatchOptions{}, "status")
	must(err)
	expect(seen, "update Up")
	fmt.Println("dynamic informer of a custom kind")
}

func apply(ctx context.Context, clients kubernetes.Interface) {
	maps := clients.CoreV1().ConfigMaps(namespace)
	wanted := applycorev1.ConfigMap("applied", namespace).WithData(map[string]string{"a": "1"})
	applied, err := maps.Apply(ctx, wanted, metav1.ApplyOptions{FieldManager: "go"})
	must(err)
	mine, err := applycorev1.ExtractConfigMap(applied, "go")
	must(err)
	if mine.Data["a"] != "1" {
		fail("extracted %v", mine.Data)
	}
	fmt.Println("typed server-side apply and extraction")
}

func elect(ctx context.Context, clients kubernetes.Interface) {
	ctx, cancel := context.WithCancel(ctx)
	led := make(chan struct{})
	lock := &resourcelock.LeaseLock{
		LeaseMeta: metav1.ObjectMeta{Name: "leader", Namespace: namespace}, Client: clients.CoordinationV1(),
		LockConfig: resourcelock.ResourceLockConfig{Identity: "me"},
	}
	go leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 200 * time.Millisecond, ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) { close(led) }, OnStoppedLeading: func() {}},
	})
	select {
	case <-led:
	case <-time.After(10 * time.Second):
		fail("nobody leads")
	}
	lease, err := clients.CoordinationV1().Leases(namespace).Get(ctx, "leader", metav1.GetOptions{})
	must(err)
	if *lease.Spec.HolderIdentity != "me" {
		fail("held by %s", *lease.Spec.HolderIdentity)
	}
	cancel()
	fmt.Println("leader election")
}

func expect(seen <-chan string, wanted string) {
	deadline := time.After(15 * time.Second)
	for {
		select {
		case event := <-seen:
			if event == wanted {
				return
			}
		case <-deadline:
			fail("never saw %q", wanted)
		}
	}
}

func must(err error) {
	if err != nil {
		fail("%v", err)
	}
}

func fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(1)
}
