import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadAll } from 'js-yaml'
import { FlagError } from '#base'
import { hostedObjects } from './hosted.ts'

const example = join(import.meta.dirname, '../../../examples/hosted/control-plane.yaml')

test('the example becomes a Deployment to be merged and three objects for the guest [G-05, 4.6.1, 4.8]', async () => {
  const { objects, warnings } = await hostedObjects([], [example])
  assert.deepEqual(warnings, [])
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
  const theirs = JSON.stringify((await hostedObjects(['--hosted-upstream'], [example])).objects)
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
    await assert.rejects(
      hostedObjects([], [file('text.yaml', 'some text')]),
      /text\.yaml, document 1: an object needs apiVersion, kind and metadata\.name/,
    )
    await assert.rejects(
      hostedObjects([], [file('nameless.yaml', 'kind: Pod')]),
      /nameless\.yaml: it has something that is no object/,
    )
    await assert.rejects(hostedObjects([], [file('broken.yaml', 'a: [')]), /broken\.yaml, line \d: no YAML/)
    await assert.rejects(hostedObjects([], [azure]), /add the ConfigMap release-images with this key, or give --hosted-image/)
    await assert.rejects(hostedObjects(['--hosted-image=v:1'], [azure]), /the Secret root-ca with its ca.crt is missing/)
    await assert.rejects(hostedObjects(['--azure-path=/x'], [example]), /neither \/mutate nor \/mutate-v1-pod/)
    await assert.rejects(hostedObjects(['--hosted-platforms=GCP'], [example]), /neither AWS nor Azure/)
    await assert.rejects(hostedObjects(['--webhook-timeout=31'], [example]), /not between 1 and 30/)
    const blockless = file('blockless.yaml', plane('{type: Azure}'))
    await assert.rejects(hostedObjects([], [blockless]), /azure platform type requires spec.platform.azure/)
    const { objects, warnings } = await hostedObjects([], [file('none.yaml', plane('{type: None}'))])
    assert.deepEqual([objects, warnings.map(text => /gets no sidecar/.test(text))], [[], [true]])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('standard input is a file as the others are, and the platform’s form of a sidecar that cannot start is rendered and told [4.3]', () => {
  const main = join(import.meta.dirname, '../main.ts')
  const render = (input: string): readonly string[] => {
    const line = ['--disable-warning=ExperimentalWarning', main, 'render', 'hosted', '-f', '-']
    const { stdout, stderr, status } = spawnSync(process.execPath, line, { input, encoding: 'utf8' })
    return [String(status), stdout, stderr]
  }
  const text = readFileSync(example, 'utf8')
  const whole = render(text)
  assert.deepEqual([whole[0], whole[1]?.match(/^kind: /gm)?.length, whole[2]], ['0', 4, ''])
  const [status, stdout = '', stderr] = render(text.replace(/^ +tenantID: .*\n/m, ''))
  assert.deepEqual([status, stdout.match(/^kind: /gm)?.length], ['0', 4])
  assert.match(stdout, /- name: AZURE_TENANT_ID\n +- name: AZURE_ENVIRONMENT/)
  assert.match(stderr ?? '', /the sidecar cannot start: spec\.platform\.azure\.tenantID is missing: write the tenant/)
  assert.match(render('kind: Pod\nmetadata: {}\n')[2] ?? '', /standard input: there is no HostedControlPlane/)
})
