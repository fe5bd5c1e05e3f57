// What a set of kubeconfig files means, by kubectl's own word and by ours.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { systemFiles } from '#base'
import { KubeconfigError, loadKubeconfig, selectContext } from '#kube/client'
import { obtainKubernetes } from '../../scripts/kubernetes.ts'

const obtained = await obtainKubernetes()
const skip = 'skipped' in obtained ? obtained.skipped : false
const folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'))
after(() => rmSync(folder, { recursive: true }))

const files = {
  one: `
current-context: first
contexts: [{name: first, context: {cluster: east, user: jane, namespace: team}}]
clusters: [{name: east, cluster: {server: 'https://east:6443', tls-server-name: api}}]
users: [{name: jane, user: {token: from-one}}]`,
  two: `
current-context: second
contexts: [{name: first, context: {cluster: lost, user: lost}}, {name: second, context: {cluster: west, user: joe}}]
clusters: [{name: east, cluster: {server: 'https://other', proxy-url: 'http://proxy'}}, {name: west, cluster: {server: 'https://west', insecure-skip-tls-verify: true}}]
users: [{name: jane, user: {username: from-two}}, {name: joe, user: {token: t, as: ann, as-groups: [g], as-uid: '7'}}]`,
  // js-yaml and Go read this alike: JSON is YAML.
  json: JSON.stringify({
    'current-context': 'j',
    contexts: [{ name: 'j', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: 'https://json' } }],
    users: [{ name: 'u', user: { username: 'a', password: 'b' } }],
  }),
  empty: '',
}
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)

interface Seen {
  readonly context: string
  readonly namespace: string
  readonly server: string
  readonly serverName: string | undefined
  readonly proxy: string | undefined
  readonly insecure: boolean
  readonly token: string | undefined
  readonly username: string | undefined
  readonly as: string | undefined
}

function byKubectl(list: string, context: string | undefined): Seen | 'refused' {
  try {
    const args = ['config', 'view', '--raw', '--minify', '-o', 'json', ...(context === undefined ? [] : ['--context', context])]
    const kubectl = 'skipped' in obtained ? 'kubectl' : obtained.programs.kubectl
    const text = execFileSync(kubectl, args, { env: { KUBECONFIG: list }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    const view = JSON.parse(text)
    const { cluster } = view.clusters[0]
    const { user } = view.users[0]
    return {
      context: view['current-context'],
      namespace: view.contexts[0].context.namespace ?? 'default',
      server: cluster.server,
      serverName: cluster['tls-server-name'],
      proxy: cluster['proxy-url'],
      insecure: cluster['insecure-skip-tls-verify'] ?? false,
      token: user.token,
      username: user.username,
      as: user.as,
    }
  } catch {
    return 'refused'
  }
}

async function byUs(list: string, context: string | undefined): Promise<Seen | 'refused'> {
  try {
    const loaded = await loadKubeconfig({ files: systemFiles, env: { KUBECONFIG: list } })
    if (loaded === undefined) return 'refused'
    const selection = selectContext(loaded.config, context === undefined ? {} : { context }, loaded.files)
    const { cluster, user } = selection
    return {
      context: selection.context,
      namespace: selection.namespace,
      server: cluster.entry.server,
      serverName: cluster.entry.tlsServerName,
      proxy: cluster.entry.proxyUrl,
      insecure: cluster.entry.insecureSkipVerify,
      token: user.entry.token,
      username: user.entry.username,
      as: user.entry.impersonate?.user,
    }
  } catch (error) {
    assert.ok(error instanceof KubeconfigError, String(error))
    return 'refused'
  }
}

describe('kubeconfigs as kubectl reads them', { skip }, () => {
  const lists = [
    ['one'],
    ['two'],
    ['json'],
    ['empty'],
    ['one', 'two'],
    ['two', 'one'],
    ['missing', 'two', 'json'],
    ['empty', 'one', 'one'],
    ['missing'],
  ]
  for (const names of lists) {
    for (const context of [undefined, 'first', 'second', 'none']) {
      test(`${names.join(':')}, ${context === undefined ? 'the current context' : `context ${context}`}`, async () => {
        const list = names.map(name => join(folder, name)).join(':')
        assert.deepEqual(await byUs(list, context), byKubectl(list, context))
      })
    }
  }
})
