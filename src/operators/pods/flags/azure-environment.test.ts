// The environment of the Azure webhook, variable by variable (§3.8). That the program starts where upstream starts, ../azure/vectors.test.ts says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FlagError } from '#base'
import { type AzureVariables, configVariable, readAzureEnvironment, readStackFile } from './azure-environment.ts'

const env = { AZURE_TENANT_ID: 'tenant' }
const registry = 'mcr.microsoft.com/oss/azure/workload-identity'

test('told nothing but the tenant, the rest is what upstream has [§3.8]', () => {
  const usual = {
    tenantId: 'tenant',
    ca: { kind: 'none' },
    authority: { host: 'https://login.microsoftonline.com/' },
    proxyImage: `${registry}/proxy:v1.5.1`,
    proxyInitImage: `${registry}/proxy-init:v1.5.1`,
    endpointProxyUrl: '',
    endpointSniName: '',
    namespace: 'azure-workload-identity-system',
  }
  assert.deepEqual(readAzureEnvironment(env, 'classic'), usual)
  assert.deepEqual(readAzureEnvironment(env, 'reserved'), {
    ...usual,
    proxyImage: `${registry}/proxy:v1.6.0`,
    proxyInitImage: `${registry}/proxy-init:v1.6.0`,
  })
})

test('what is set is taken, and an empty image or namespace is not set', () => {
  const { proxyImage, proxyInitImage, endpointProxyUrl, endpointSniName, namespace } = readAzureEnvironment(
    {
      ...env,
      PROXY_IMAGE: 'proxy:1',
      PROXY_INIT_IMAGE: '',
      AZURE_KUBERNETES_TOKEN_PROXY: 'https://proxy',
      AZURE_KUBERNETES_SNI_NAME: 'sni',
      POD_NAMESPACE: 'home',
    },
    'classic',
  )
  assert.deepEqual(
    [proxyImage, proxyInitImage, endpointProxyUrl, endpointSniName, namespace],
    ['proxy:1', `${registry}/proxy-init:v1.5.1`, 'https://proxy', 'sni', 'home'],
  )
})

test('a variable with the prefix CONFIG_ wins, also when it is empty [Z-41]', () => {
  assert.equal(configVariable({ A: 'a' }, 'A'), 'a')
  assert.equal(configVariable({ A: 'a', CONFIG_A: 'b' }, 'A'), 'b')
  assert.equal(configVariable({ A: 'a', CONFIG_A: '' }, 'A'), '')
  assert.equal(configVariable({}, 'A'), undefined)
})

for (const [cloud, host] of [
  ['AzureCloud', 'https://login.microsoftonline.com/'],
  ['azurePublicCloud', 'https://login.microsoftonline.com/'],
  ['AzureUSGovernment', 'https://login.microsoftonline.us/'],
  ['AzureGermanCloud', 'https://login.microsoftonline.de/'],
] as const)
  test(`the authority of ${cloud} is ${host} [Z-36, Z-37]`, () => {
    assert.deepEqual(readAzureEnvironment({ ...env, AZURE_ENVIRONMENT: cloud }, 'classic').authority, { host })
  })

test('of a cloud that is a property of every object nobody knows an authority [Z-39]', () => {
  assert.throws(() => readAzureEnvironment({ ...env, AZURE_ENVIRONMENT: '__proto__' }, 'classic'), {
    message: 'failed to get AAD endpoint: autorest/azure: There is no cloud environment matching the name "__PROTO__"',
  })
})

test('an Azure Stack names its authority in a file, whose path stands without the prefix alone [Z-38]', () => {
  const of = (more: AzureVariables): unknown =>
    readAzureEnvironment({ ...env, AZURE_ENVIRONMENT: 'AzureStackCloud', ...more }, 'classic').authority
  assert.deepEqual(of({ AZURE_ENVIRONMENT_FILEPATH: '/stack.json' }), { file: '/stack.json' })
  assert.deepEqual(of({ CONFIG_AZURE_ENVIRONMENT_FILEPATH: '/stack.json' }), { file: '' })
})

const noEndpoint = 'failed to get AAD endpoint: /s.json is no JSON object with a text as activeDirectoryEndpoint'
for (const [text, said] of [
  ['{"activeDirectoryEndpoint":"https://login.stack"}', 'https://login.stack'],
  ['{"activeDirectoryEndpoint":null}', ''],
  ['{}', ''],
  ['{"activeDirectoryEndpoint":1}', new FlagError(noEndpoint)],
  ['[]', new FlagError(noEndpoint)],
  ['no JSON', new FlagError(noEndpoint)],
  [undefined, new FlagError('failed to get AAD endpoint: open /s.json: no such file or directory')],
] as const)
  test(`the file of an Azure Stack ${text === undefined ? 'that is not there' : `with ${text}`} ${said instanceof Error ? 'ends the start' : `means ${JSON.stringify(said)}`} [§3.20]`, () => {
    const read = (): string => readStackFile('/s.json', text === undefined ? undefined : Buffer.from(text))
    if (said instanceof Error) assert.throws(read, { name: 'FlagError', message: said.message })
    else assert.equal(read(), said)
  })

const [data, name, signer, selector] = [
  'AZURE_KUBERNETES_CA_DATA',
  'AZURE_KUBERNETES_CA_CONFIGMAP_NAME',
  'AZURE_KUBERNETES_CA_CTB_SIGNER_NAME',
  'AZURE_KUBERNETES_CA_CTB_LABEL_SELECTOR',
] as const
const caOf = (more: AzureVariables): unknown => readAzureEnvironment({ ...env, ...more }, 'reserved').ca

test('the authority of the custom token endpoint comes from one place [§3.11]', () => {
  assert.deepEqual(caOf({ [data]: 'PEM' }), { kind: 'data', pem: 'PEM' })
  assert.deepEqual(caOf({ [name]: 'ca' }), { kind: 'config-map', name: 'ca' })
  assert.deepEqual(caOf({ [signer]: 's' }), { kind: 'trust-bundle', signerName: 's', labelSelector: undefined })
  assert.deepEqual(caOf({ [data]: '', [name]: '', [signer]: '' }), { kind: 'none' })
  const one = `only one of ${data}, ${name} or ${signer} can be set`
  for (const two of [
    { [data]: 'a', [name]: 'b' },
    { [name]: 'a', [signer]: 'b' },
    { [data]: 'a', [signer]: 'b' },
  ])
    assert.throws(() => caOf(two), { name: 'FlagError', message: one })
  for (const more of [{}, { [name]: 'ca' }])
    assert.throws(() => caOf({ [selector]: '{}', ...more }), {
      message: `${signer} needs to be set when ${selector} is set`,
    })
})

const expression = { key: 'a', operator: 'Exists' }
for (const [text, labelSelector] of [
  [' ', undefined],
  ['null', {}],
  ['{}', {}],
  [' {"matchLabels":{"a":"b"}}', { matchLabels: { a: 'b' } }],
  [JSON.stringify({ matchExpressions: [expression] }), { matchExpressions: [expression] }],
  [
    JSON.stringify({ matchLabels: { a: 'b' }, matchExpressions: [expression], more: 1 }),
    { matchLabels: { a: 'b' }, matchExpressions: [expression] },
  ],
  ['{"matchLabels":{},"matchExpressions":[]}', {}],
  ['{"matchLabels":null,"matchExpressions":null}', {}],
] as const)
  test(`the selector ${JSON.stringify(text)} of trust bundles ${labelSelector === undefined ? 'is not set' : `means ${JSON.stringify(labelSelector)}`}`, () => {
    assert.deepEqual(caOf({ [signer]: 's', [selector]: text }), { kind: 'trust-bundle', signerName: 's', labelSelector })
  })

for (const [text, why] of [
  ['x', "invalid character 'x' looking for beginning of value"],
  [' }', "invalid character '}' looking for beginning of value"],
  ['{', 'it is no JSON'],
  ['12a', 'it is no JSON'],
  ['[]', 'it is no object'],
  ['1', 'it is no object'],
  ['{"matchLabels":[]}', 'matchLabels is no map of texts'],
  ['{"matchLabels":{"a":"b","c":1}}', 'matchLabels is no map of texts'],
  ['{"matchExpressions":{}}', 'matchExpressions is no list'],
] as const)
  test(`the selector ${text} of trust bundles ends the start: ${why}`, () => {
    const message = `envconfig.Process: assigning CONFIG_${selector} to AzureKubernetesCACTBLabelSelector: converting '${text}' to type config.LabelSelectorPtr. details: failed to decode LabelSelector: ${why}`
    assert.throws(() => caOf({ [signer]: 's', [selector]: text }), { name: 'FlagError', message })
  })
