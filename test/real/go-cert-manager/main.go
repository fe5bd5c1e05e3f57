// The three programs of cert-manager as one, each a word of the command line: its own packages, wired as its own commands wire them, with
// the issuers that need nothing from outside. Its commands themselves are modules that no module proxy serves.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/clientcmd"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	internalwebhook "github.com/cert-manager/cert-manager/internal/webhook"
	certmanager "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	"github.com/cert-manager/cert-manager/pkg/controller"
	"github.com/cert-manager/cert-manager/pkg/controller/cainjector"
	"github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/approver"
	requestca "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/ca"
	requestselfsigned "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/selfsigned"
	"github.com/cert-manager/cert-manager/pkg/controller/certificates/issuing"
	"github.com/cert-manager/cert-manager/pkg/controller/certificates/keymanager"
	"github.com/cert-manager/cert-manager/pkg/controller/certificates/readiness"
	"github.com/cert-manager/cert-manager/pkg/controller/certificates/requestmanager"
	"github.com/cert-manager/cert-manager/pkg/controller/certificates/revisionmanager"
	"github.com/cert-manager/cert-manager/pkg/controller/certificates/trigger"
	"github.com/cert-manager/cert-manager/pkg/controller/issuers"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/ca"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/selfsigned"
	logf "github.com/cert-manager/cert-manager/pkg/logs"
	"github.com/cert-manager/cert-manager/pkg/webhook/options"
)

const namespace = "cert-manager"

var controllers = []string{
	issuers.ControllerName,
	approver.ControllerName, requestca.CRControllerName, requestselfsigned.CRControllerName,
	issuing.ControllerName, keymanager.ControllerName, readiness.ControllerName,
	requestmanager.ControllerName, revisionmanager.ControllerName, trigger.ControllerName,
}

func main() {
	ctx := ctrl.SetupSignalHandler()
	ctrl.SetLogger(logf.Log)
	programs := map[string]func(context.Context, string) error{"controller": runControllers, "webhook": runWebhook, "cainjector": runInjector}
	if err := programs[os.Args[1]](ctx, os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func runControllers(ctx context.Context, kubeconfig string) error {
	factory, err := controller.NewContextFactory(ctx, controller.ContextOptions{
		Kubeconfig:         kubeconfig,
		KubernetesAPIQPS:   20,
		KubernetesAPIBurst: 50,
		IssuerOptions:      controller.IssuerOptions{ClusterResourceNamespace: namespace},
		CertificateOptions: controller.CertificateOptions{
			CertificateRequestMinimumBackoffDuration: time.Hour,
			CertificateRequestMaximumBackoffDuration: 32 * time.Hour,
		},
	})
	if err != nil {
		return err
	}
	shared, err := factory.Build()
	if err != nil {
		return err
	}
	ended := make(chan error, len(controllers))
	for _, name := range controllers {
		one, err := controller.Known()[name](factory)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		go func() { ended <- one.Run(5, ctx) }()
	}
	shared.SharedInformerFactory.Start(ctx.Done())
	shared.KubeSharedInformerFactory.Start(ctx.Done())
	shared.HTTP01ResourceMetadataInformersFactory.Start(ctx.Done())
	return <-ended
}

// The port is the third argument: who registers the webhook has to know it.
func runWebhook(ctx context.Context, kubeconfig string) error {
	port, err := strconv.Atoi(os.Args[3])
	if err != nil {
		return err
	}
	config, err := options.NewWebhookConfiguration()
	if err != nil {
		return err
	}
	config.KubeConfig = kubeconfig
	config.SecurePort = int32(port)
	config.HealthzPort = 0
	config.MetricsListenAddress = "0"
	config.TLSConfig.Dynamic.SecretNamespace = namespace
	config.TLSConfig.Dynamic.SecretName = "cert-manager-webhook-ca"
	config.TLSConfig.Dynamic.DNSNames = []string{"localhost"}
	server, err := internalwebhook.NewCertManagerWebhookServer(logf.Log, *config)
	if err != nil {
		return err
	}
	return server.Run(ctx)
}

func runInjector(ctx context.Context, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	// By which it signs what it applies.
	config.UserAgent = "cert-manager-cainjector"
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		corev1.AddToScheme, admissionregistration.AddToScheme, apiextensions.AddToScheme,
		apiregistration.AddToScheme, certmanager.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                  scheme,
		LeaderElection:          true,
		LeaderElectionID:        "cert-manager-cainjector-leader-election",
		LeaderElectionNamespace: namespace,
		Metrics:                 metricsserver.Options{BindAddress: "0"},
		// Bodies of secrets are read one by one; only their metadata is cached.
		Client: client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{&corev1.Secret{}}}},
	})
	if err != nil {
		return err
	}
	if err := cainjector.RegisterAllInjectors(ctx, manager, cainjector.SetupOptions{
		EnableCertificatesDataSource: true,
		EnabledReconcilersFor: map[string]bool{
			cainjector.MutatingWebhookConfigurationName:   true,
			cainjector.ValidatingWebhookConfigurationName: true,
			cainjector.APIServiceName:                     true,
			cainjector.CustomResourceDefinitionName:       true,
		},
	}); err != nil {
		return err
	}
	return manager.Start(ctx)
}
