import assert from 'node:assert/strict'
import { test } from 'node:test'
import { podAnnotations } from './admit.ts'
import { expirationOf, proxyPortOf, skippedContainers, tenantIdOf, wantsProxy, wantsTokenEndpoint } from './annotations.ts'

const prefix = 'azure.workload.identity'
const lasting = (text: string): Readonly<Record<string, string>> => ({ [`${prefix}/service-account-token-expiration`]: text })
const trouble = (text: string, why: string): string => `strconv.ParseInt: parsing "${text}": ${why}`
const notBetween = (text: string): string => `token expiration ${text} not valid. Expected value to be between 3600 and 86400`

for (const [text, message] of [
  ['9223372036854775807', notBetween('9223372036854775807')],
  ['9223372036854775808', trouble('9223372036854775808', 'value out of range')],
  ['-3600', notBetween('-3600')],
  ['3600s', trouble('3600s', 'invalid syntax')],
] as const)
  test(`a life of ${text} is refused with a sentence, wherever it stands [Z-17, Z-18]`, () => {
    for (const said of [expirationOf(lasting(text), {}), expirationOf({}, lasting(text))])
      assert.deepEqual(said, { refused: 'bad_expiration', message })
  })

test('what the pod says of the life hides what its ServiceAccount says, also where that is bad [Z-15, Z-19]', () => {
  assert.equal(expirationOf(lasting('7200'), lasting('x')), 7_200n)
  assert.equal(expirationOf(lasting(''), lasting('7200')), 7_200n)
  assert.equal(expirationOf({}, {}), 3_600n)
})

const port = (text: string): Readonly<Record<string, string>> => ({ [`${prefix}/proxy-sidecar-port`]: text })

test('the port of the proxy is any number of 32 bits, and 8000 where none is named [Z-47]', () => {
  assert.deepEqual(
    [proxyPortOf({}), proxyPortOf(port('8080')), proxyPortOf(port('-1')), proxyPortOf(port('2147483647'))],
    [8_000, 8_080, -1, 2_147_483_647],
  )
  const refused = (text: string, why: string): object => ({
    refused: 'bad_port',
    message: `failed to parse proxy sidecar port: ${trouble(text, why)}`,
  })
  assert.deepEqual(proxyPortOf(port('2147483648')), refused('2147483648', 'value out of range'))
  assert.deepEqual(proxyPortOf(port('')), refused('', 'invalid syntax'))
})

for (const [value, byPresence, byValue] of [
  [undefined, false, false],
  ['', true, false],
  ['false', true, false],
  ['true', true, true],
  ['TRUE', true, true],
] as const)
  test(`inject-proxy-sidecar ${value === undefined ? 'that is missing' : JSON.stringify(value)} asks for the proxy: ${byPresence}, and where true is required: ${byValue} [F-20]`, () => {
    const pod: Record<string, string> = value === undefined ? {} : { [`${prefix}/inject-proxy-sidecar`]: value }
    assert.equal(wantsProxy(pod, { proxyRequiresTrue: false }), byPresence)
    assert.equal(wantsProxy(pod, { proxyRequiresTrue: true }), byValue)
  })

test('a pod asks for the custom token endpoint by the annotation of the server, with the value true in any letter case [Z-59, Z-60]', () => {
  const annotation = `${prefix}/use-aks`
  const tokenEndpoint = { annotation, audience: 'a', proxyUrl: '', sniName: '', ca: { kind: 'none' } } as const
  const wants = (value: string): boolean => wantsTokenEndpoint({ [annotation]: value }, { tokenEndpoint })
  assert.deepEqual([wants('true'), wants('TRUE'), wants('yes'), wants('')], [true, true, false, false])
  assert.equal(wantsTokenEndpoint({}, { tokenEndpoint }), false)
  assert.equal(wantsTokenEndpoint({ [annotation]: 'true' }, { tokenEndpoint: undefined }), false)
})

test('names of skipped containers stand between semicolons, with what Go takes for blanks around them [Z-20, Z-21]', () => {
  const skipped = (list: string): readonly string[] => [...skippedContainers({ [`${prefix}/skip-containers`]: list })]
  assert.deepEqual(skipped(' a ;\tb\u0085;c,d'), ['a', 'b', 'c,d'])
  assert.deepEqual(skipped('\ufeffa'), ['\ufeffa'])
  assert.deepEqual([skipped(''), [...skippedContainers({})]], [[], []])
})

test('an empty tenant of the ServiceAccount is its own, and a missing one is that of the server [Z-04]', () => {
  const ofServer = { tenantId: 'server' }
  assert.equal(tenantIdOf({}, ofServer), 'server')
  assert.equal(tenantIdOf({ [`${prefix}/tenant-id`]: '' }, ofServer), '')
})

test('annotations of a pod that are texts are taken as they are, and null counts as empty', () => {
  const annotations = { a: 'x', b: '' }
  assert.equal(podAnnotations({ metadata: { annotations } }), annotations)
  assert.deepEqual(podAnnotations({ metadata: { annotations: { a: 'x', b: null } } }), { a: 'x', b: '' })
  for (const pod of [{}, { metadata: null }, { metadata: {} }, { metadata: { annotations: null } }])
    assert.deepEqual(podAnnotations(pod), {})
})
