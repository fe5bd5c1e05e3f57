// A program as people write it: the unmodified SDK, with nothing but the environment and the file that a pod gets. Run by a test as a process of
// its own, so that trust in the authority comes from the environment as well.
import { DefaultAzureCredential, WorkloadIdentityCredential } from '@azure/identity'
import { SecretClient } from '@azure/keyvault-secrets'
import { BlobServiceClient } from '@azure/storage-blob'

const { VAULT_URL = '', BLOB_URL = '', CREDENTIAL = 'workload' } = process.env
// Both switches are the documented ones for clouds that the public directory does not know.
const options = { disableInstanceDiscovery: true }
const credential = CREDENTIAL === 'default' ? new DefaultAzureCredential() : new WorkloadIdentityCredential(options)

try {
  const vault = new SecretClient(VAULT_URL, credential, { disableChallengeResourceVerification: true })
  const said: Record<string, unknown> = { secret: (await vault.getSecret('password')).value }
  if (BLOB_URL !== '') {
    const container = new BlobServiceClient(BLOB_URL, credential).getContainerClient('orders')
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
