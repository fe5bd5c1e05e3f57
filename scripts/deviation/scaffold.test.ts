// The list of all deviations with one more, and names of files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DeviationFile, scaffold, wordsOf } from './scaffold.ts'

const list = `import { acmCertificate } from './acm/certificate.ts'
import { type Deviation, noDeviation } from './deviation.ts'
import { snsPlatformEndpoint } from './sns/platform-endpoint.ts'

const deviations: Readonly<Record<string, Deviation>> = {
  'acm/Certificate': acmCertificate,
  'sns/PlatformEndpoint': snsPlatformEndpoint,
}
`

const listOf = (files: readonly DeviationFile[]): readonly string[] =>
  (files.at(-1)?.text ?? '').split('\n').filter(line => !list.split('\n').includes(line))

const placesOf = (service: string, kind: string): readonly number[] => {
  const text = scaffold({ service, kind }, list).at(-1)?.text ?? ''
  return [text.indexOf(`./${service}/`), text.indexOf(`'${service}/`)].map(at => text.slice(0, at).split('\n').length)
}

test('a kind gets its import and its entry, each at its place in the alphabet', () => {
  const files = scaffold({ service: 'lambda', kind: 'CodeSigningConfig' }, list)
  assert.deepEqual(listOf(files), [
    "import { lambdaCodeSigningConfig } from './lambda/code-signing-config.ts'",
    "  'lambda/CodeSigningConfig': lambdaCodeSigningConfig,",
  ])
  assert.deepEqual(
    [placesOf('lambda', 'Alias'), placesOf('xray', 'Group'), placesOf('account', 'Region')],
    [
      [3, 8],
      [4, 9],
      [1, 7],
    ],
  )
})

test('a run of capitals is one word of a file name', () => {
  const file = (kind: string): string => wordsOf(kind).join('-')
  assert.deepEqual(['VPCLink', 'API', 'OpenIDConnectProvider', 'DBInstance', 'Ec2Fleet'].map(file), [
    'vpc-link',
    'api',
    'open-id-connect-provider',
    'db-instance',
    'ec2-fleet',
  ])
})

test('a kind that is shipped gets a test in the world of the room, another one a test of its own', () => {
  const shipped = scaffold({ service: 'eks', kind: 'AccessEntry', required: ['clusterName'] }, list)[1]?.text ?? ''
  assert.match(shipped, /services: \['eks'\], kinds: \['AccessEntry'\]/)
  assert.match(shipped, /const spec = \{\n {2}clusterName: 'text',\n\}/)
  assert.match(
    scaffold({ service: 'rds', kind: 'DBInstance' }, list)[1]?.text ?? '',
    /import \{ rdsDbInstance \} from '.\/db-instance.ts'/,
  )
})
