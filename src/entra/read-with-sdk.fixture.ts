// A program as people write it: the unmodified SDK, with nothing but the environment and the file that a pod gets. Run by a test as a process of
// its own, so that trust in the authority comes from the environment as well.
import { readFile } from 'node:fs/promises'
import {
  ClientAssertionCredential,
  DefaultAzureCredential,
  type TokenCredential,
  WorkloadIdentityCredential,
} from '@azure/identity'
import { SecretClient } from '@azure/keyvault-secrets'
import { BlobServiceClient } from '@azure/storage-blob'

const { VAULT_URL = '', BLOB_URL = '', CREDENTIALS = 'workload' } = process.env
const { AZURE_TENANT_ID = '', AZURE_CLIENT_ID = '', AZURE_FEDERATED_TOKEN_FILE = '' } = process.env
// Both switches are the documented ones for clouds that the public directory does not know.
const options = { disableInstanceDiscovery: true }
const credentials: Readonly<Record<string, () => TokenCredential>> = {
  workload: () => new WorkloadIdentityCredential(options),
  default: () => new DefaultAzureCredential(),
  assertion: () =>
    new ClientAssertionCredential(AZURE_TENANT_ID, AZURE_CLIENT_ID, () => readFile(AZURE_FEDERATED_TOKEN_FILE, 'utf8'), options),
}

async function secretWith(credential: TokenCredential): Promise<string | undefined> {
  const vault = new SecretClient(VAULT_URL, credential, { disableChallengeResourceVerification: true })
  return (await vault.getSecret('password')).value
}

try {
  const said: Record<string, unknown> = {}
  for (const name of CREDENTIALS.split(',')) said[name] = await secretWith((credentials[name] as () => TokenCredential)())
  if (BLOB_URL !== '') {
    const container = new BlobServiceClient(BLOB_URL, new WorkloadIdentityCredential(options)).getContainerClient('orders')
    const blob = container.getBlockBlobClient('first.txt')
    await blob.upload('hello', 5)
    said['blob'] = (await blob.downloadToBuffer()).toString('utf8')
    said['blobs'] = []
    for await (const { name } of container.listBlobsFlat()) (said['blobs'] as string[]).push(name)
  }
  console.log(JSON.stringify(said))
} catch (error) {
  const { name, message, statusCode } = error as Error & { readonly statusCode?: number }
  console.log(JSON.stringify({ name, message, statusCode }))
}
