import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseAzureArguments } from './azure-arguments.ts'

const env = { AZURE_TENANT_ID: 'tenant', AZURE_ENVIRONMENT: 'AzurePublicCloud' }

for (const argument of [
  '--port=8443',
  '--disable-cert-rotation',
  '--config=x.yaml',
  '--webhook-cert-dir=/x',
  '--kubeconfig=k',
  '--version',
])
  test(`${argument} does not fit the manifests of the Azure webhook, and is refused`, () => {
    const [name = ''] = argument.split('=')
    assert.throws(
      () => refuseAzureArguments([argument], env),
      new RegExp(`^Error: vouch webhook manifests: ${name} is not taken here`),
    )
  })

test('a cloud that only a file names is refused, since the manifests mount none', () => {
  assert.throws(() => refuseAzureArguments([], { ...env, AZURE_ENVIRONMENT: 'AzureStackCloud' }), /mount no file/)
})

test('what the webhook itself would refuse is refused before it is printed, and the rest is taken', () => {
  assert.throws(() => refuseAzureArguments(['--volume-layout=hashed'], env), /--volume-layout is classic or reserved/)
  refuseAzureArguments(['--volume-layout=reserved', '--require-pod-label'], env)
})
