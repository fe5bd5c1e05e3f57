# The Azure SDK for Python as its users have it, told nothing but what its pod has: prints the secret `password` of the vault, or why not.
import os
import sys

from azure.core.exceptions import AzureError
from azure.identity import DefaultAzureCredential
from azure.keyvault.secrets import SecretClient

try:
    vault = SecretClient(os.environ["VAULT_URL"], DefaultAzureCredential())
    print(vault.get_secret("password").value, end="")
except AzureError as error:
    sys.exit(str(error))
