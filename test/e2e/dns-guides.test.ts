// The pages and examples about ExternalDNS: every object that they show is accepted and becomes an operand or says what it waits for, every
// policy document is the program's own, and the page of troubles names every reason that there is.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadAll } from 'js-yaml'
import { asAudience, asProviderArn } from '#aws'
import { isRecord } from '#base'
import type { KubeObject } from '#kube'
import { crossAccountTrust, kinds, permissionPolicy, podIdentityTrust, webIdentityTrust } from '#operators/dns'
import { awsKeys, dnsWorld, openShift } from '../../src/operators/dns/testing/dns-world.ts'
import { renderIdentityCrds } from '../../src/operators/identity/api.ts'
import { guideBlocks } from './guide-blocks.ts'

const top = join(import.meta.dirname, '../..')
const pages = ['dns-credentials.md', 'dns-other-account.md', 'dns-move.md', 'dns-troubleshooting.md']

function objectsIn(text: string): readonly KubeObject[] {
  return loadAll(text).filter((object): object is KubeObject => isRecord(object) && isRecord(object.metadata))
}

/** What its operand waits for, or `runs`. */
async function fateOf(text: string): Promise<string> {
  await using world = dnsWorld({
    ...(text.includes('# on: OpenShift') ? { platform: openShift } : {}),
    settings: { preflightEnabled: true },
    objects: renderIdentityCrds(),
  })
  world.start()
  await world.secret('dns-keys', awsKeys)
  const [object] = objectsIn(text)
  assert.ok(object !== undefined)
  const made = await world.client.create(kinds.v1beta2.type, object)
  await world.settle()
  const { name } = made.metadata
  if ((await world.deployment(name)) !== undefined) return 'runs'
  const { status } = await world.dns(name)
  return status?.conditions?.find(({ type }) => type === 'Available')?.reason ?? ''
}

test('every object of a guide is accepted, and becomes an operand or says what it waits for', async () => {
  const files = pages.flatMap(guideBlocks).filter(({ use }) => use.kind === 'file')
  const fates = await Promise.all(files.map(({ text }) => fateOf(text)))
  assert.deepEqual(Object.fromEntries(files.map(({ use }, index) => [use.kind === 'file' ? use.name : '', fates[index]])), {
    'keys.yaml': 'runs',
    'platform.yaml': 'CredentialsMissing',
    'sts.yaml': 'CredentialsMissing',
    'irsa.yaml': 'runs',
    'pod.yaml': 'runs',
    'binding.yaml': 'AuthenticationFailed',
    'other-account.yaml': 'runs',
  })
})

test('every example is accepted, and the one of the guide is the one in the folder', async () => {
  const folder = join(top, 'examples/dns')
  const names = globSync('*.yaml', { cwd: folder }).toSorted()
  assert.deepEqual(names, ['binding.yaml', 'cleanup.yaml', 'discovery.yaml', 'keys.yaml', 'other-account.yaml'])
  const fates = await Promise.all(names.map(name => fateOf(readFileSync(join(folder, name), 'utf8'))))
  assert.deepEqual(fates, ['AuthenticationFailed', 'runs', 'DeploymentUnavailable', 'runs', 'runs'])
  const shown = guideBlocks('dns-other-account.md').find(({ use }) => use.kind === 'file')?.text
  assert.equal(shown, `# other-account.yaml\n${readFileSync(join(folder, 'other-account.yaml'), 'utf8')}`)
})

test('every policy document of the guides is the one that the program makes', () => {
  const account = '111122223333'
  const shown = pages.flatMap(guideBlocks).filter(({ language }) => language === 'json')
  assert.deepEqual(
    shown.map(({ text }) => JSON.parse(text)),
    [
      webIdentityTrust({
        provider: asProviderArn(`arn:aws:iam::${account}:oidc-provider/oidc.example.com`),
        operandNamespace: 'external-dns',
        name: 'irsa',
        audience: asAudience('sts.amazonaws.com'),
      }),
      podIdentityTrust(),
      crossAccountTrust('arn:aws:iam::444455556666:user/dns', 'cluster-east'),
      permissionPolicy('aws', ['Z3URY6TWQ91KXX']),
    ],
  )
})

test('the page of troubles names every reason for which something is False', () => {
  const page = readFileSync(join(top, 'docs/guides/dns-troubleshooting.md'), 'utf8')
  const sources = ['external-dns', 'preflight', 'binding', 'cleanup', 'findings'].flatMap(folder =>
    globSync('*.ts', { cwd: join(top, 'src/operators/dns', folder) })
      .filter(file => !file.endsWith('.test.ts'))
      .map(file => readFileSync(join(top, 'src/operators/dns', folder, file), 'utf8')),
  )
  const found = sources.flatMap(source => [
    ...[...source.matchAll(/'False',\s*(?:reason: )?'(\w+)'/g)].map(([, reason = '']) => reason),
    ...[...source.matchAll(/wait\('(\w+)'/g)].map(([, reason = '']) => reason),
    ...[...source.matchAll(/reason: '(\w+)', message/g)].map(([, reason = '']) => reason),
  ])
  const known = new Set([
    ...found,
    'AuthenticationFailed',
    'OperandCrashing',
    'OperandIncompatible',
    'SyncFailing',
    'ZoneAccessDenied',
  ])
  // What is True or Unknown needs nobody, the existing operator's own words say themselves, and events are no reasons.
  const fine =
    /^(Accepted|Available|Assumed|BundleFound|Compatible|ContentUsable|NoConflict|NoRole|NotCheckedYet|Readable|UpToDate|SecretFound|Deployment\w+|NoLabelMatchingPods|SourceSecretMissing|STSUnavailable)$/
  assert.deepEqual(
    [...known].filter(reason => !fine.test(reason) && !page.includes(`\`${reason}\``)),
    [],
  )
  assert.ok(known.size > 20, [...known].join())
})
