import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadAll } from 'js-yaml'
import { FlagError } from '#base'
import { hostedObjects } from './hosted.ts'

const example = join(import.meta.dirname, '../../../examples/hosted/control-plane.yaml')

test('the example becomes a Deployment to be merged and three objects for the guest [G-05, 4.6.1, 4.8]', async () => {
  const objects = await hostedObjects([], [example])
  assert.deepEqual(
    objects.map(({ kind, metadata }) => `${kind} ${metadata.name ?? ''}`),
    [
      'Deployment kube-apiserver',
      'ClusterRole azure-workload-identity-webhook',
      'ClusterRoleBinding azure-workload-identity-webhook',
      'MutatingWebhookConfiguration azure-workload-identity-webhook',
    ],
  )
  const text = JSON.stringify(objects)
  assert.ok(text.includes('https://127.0.0.1:9443/mutate"') && !text.includes('/bin/sh'))
  const theirs = JSON.stringify(await hostedObjects(['--hosted-upstream'], [example]))
  assert.ok(theirs.includes('https://127.0.0.1:9443/mutate-v1-pod"') && theirs.includes('/bin/sh'))
})

test('a list, as `kubectl get` prints several objects, is read as its objects', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-render-hosted-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const items = loadAll(readFileSync(example, 'utf8'))
  const path = join(folder, 'list.json')
  writeFileSync(path, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  assert.deepEqual(await hostedObjects([], [path]), await hostedObjects([], [example]))
})

test('what is missing is said with what to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-render-hosted-'))
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const plane = (platform: string): string =>
    `kind: HostedControlPlane\nmetadata: {namespace: a, name: b}\nspec: {platform: ${platform}}\n`
  const azure = file('azure.yaml', plane('{type: Azure, azure: {tenantID: t}}'))
  try {
    await assert.rejects(hostedObjects([], []), FlagError)
    await assert.rejects(hostedObjects([], [file('other.yaml', 'kind: Pod\nmetadata: {}\n')]), /there is no HostedControlPlane/)
    await assert.rejects(hostedObjects([], [file('text.yaml', 'some text')]), /no object of Kubernetes/)
    await assert.rejects(hostedObjects([], [file('broken.yaml', 'a: [')]), /broken\.yaml: /)
    await assert.rejects(hostedObjects([], [azure]), /add the ConfigMap release-images with this key, or give --hosted-image/)
    await assert.rejects(hostedObjects(['--hosted-image=v:1'], [azure]), /the Secret root-ca with its ca.crt is missing/)
    await assert.rejects(hostedObjects(['--azure-path=/x'], [example]), /neither \/mutate nor \/mutate-v1-pod/)
    await assert.rejects(hostedObjects(['--hosted-platforms=GCP'], [example]), /neither AWS nor Azure/)
    await assert.rejects(hostedObjects(['--webhook-timeout=31'], [example]), /not between 1 and 30/)
    const blockless = file('blockless.yaml', plane('{type: Azure}'))
    await assert.rejects(hostedObjects([], [blockless]), /azure platform type requires spec.platform.azure/)
    assert.deepEqual(await hostedObjects([], [file('none.yaml', plane('{type: None}'))]), [])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
