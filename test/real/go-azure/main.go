// The Azure SDK for Go as its users have it, told nothing but what its pod has: prints the secret `password` of the vault, or why not.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/security/keyvault/azsecrets"
)

func main() {
	credential, err := azidentity.NewDefaultAzureCredential(nil)
	check(err)
	vault, err := azsecrets.NewClient(os.Getenv("VAULT_URL"), credential, nil)
	check(err)
	secret, err := vault.GetSecret(context.Background(), "password", "", nil)
	check(err)
	fmt.Print(*secret.Value)
}

func check(err error) {
	if err != nil {
		fmt.Fprint(os.Stderr, err)
		os.Exit(1)
	}
}
