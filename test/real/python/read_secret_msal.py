# The library beneath Azure's SDK for Python, used without it: the pod's own assertion for a token, and the token for the secret `password`.
import os
import sys

import msal
import requests

with open(os.environ["AZURE_FEDERATED_TOKEN_FILE"], encoding="utf-8") as file:
    assertion = file.read()

app = msal.ConfidentialClientApplication(
    os.environ["AZURE_CLIENT_ID"],
    authority=os.environ["AZURE_AUTHORITY_HOST"] + os.environ["AZURE_TENANT_ID"],
    client_credential={"client_assertion": assertion},
)
answer = app.acquire_token_for_client(["https://vault.azure.net/.default"])
if "access_token" not in answer:
    sys.exit(answer["error_description"])

secret = requests.get(
    os.environ["VAULT_URL"] + "/secrets/password?api-version=7.6",
    headers={"authorization": "Bearer " + answer["access_token"]},
    timeout=60,
)
secret.raise_for_status()
print(secret.json()["value"], end="")
