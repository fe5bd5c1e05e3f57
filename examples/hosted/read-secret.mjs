// A program as people write it: the unmodified SDK of Azure, with nothing but what its pod has. Prints a secret of a Key Vault.
import { DefaultAzureCredential } from '@azure/identity'
import { SecretClient } from '@azure/keyvault-secrets'

try {
  const vault = new SecretClient(process.env['VAULT_URL'] ?? '', new DefaultAzureCredential())
  process.stdout.write((await vault.getSecret('password')).value ?? '')
} catch (error) {
  process.stderr.write(String(error instanceof Error ? error.message : error))
  process.exitCode = 1
}
