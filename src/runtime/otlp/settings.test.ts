// Where telemetry goes, by each of the variables that OpenTelemetry has agreed on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryFiles } from '#base'
import { readCollectorAddress } from './settings.ts'

const prefix = 'OTEL_EXPORTER_OTLP'
const files = memoryFiles({ '/ca': 'CA', '/own': 'OWN', '/cert': 'CERT', '/key': 'KEY' })

function addressOf(settings: Readonly<Record<string, string>>) {
  const env = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`${prefix}_${name}`, value]))
  return readCollectorAddress({ env, files }, 'TRACES')
}

const url = 'http://c:4318/v1/traces'
const plain = { url, headers: {}, timeoutMs: 10_000 }

for (const [what, settings, address] of [
  ['no address', { HEADERS: 'a=b', CERTIFICATE: '/nowhere' }, undefined],
  ['an address that is empty', { ENDPOINT: ' ' }, undefined],
  ['an address', { ENDPOINT: 'http://c:4318' }, plain],
  ['an address that ends with slashes', { ENDPOINT: ' http://c:4318// ' }, plain],
  ['an address of its own, which is taken as it stands', { TRACES_ENDPOINT: 'https://own/' }, { ...plain, url: 'https://own/' }],
  ['both', { ENDPOINT: 'http://c', TRACES_ENDPOINT: 'https://own/x' }, { ...plain, url: 'https://own/x' }],
  ['one of its own beside one that cannot be used', { ENDPOINT: 'http://', TRACES_ENDPOINT: url }, plain],
  ['that of another signal', { LOGS_ENDPOINT: 'https://own/x' }, undefined],
  ['headers', { ENDPOINT: 'http://c:4318', HEADERS: 'A=b' }, { ...plain, headers: { a: 'b' } }],
  ['headers of its own', { ENDPOINT: 'http://c:4318', HEADERS: 'A=b', TRACES_HEADERS: 'c=d' }, { ...plain, headers: { c: 'd' } }],
  ['a time', { ENDPOINT: 'http://c:4318', TIMEOUT: '1' }, { ...plain, timeoutMs: 1 }],
  ['an authority', { ENDPOINT: 'http://c:4318', CERTIFICATE: '/ca' }, { ...plain, tls: { ca: 'CA' } }],
  [
    'one of its own',
    { ENDPOINT: 'http://c:4318', CERTIFICATE: '/ca', TRACES_CERTIFICATE: '/own' },
    { ...plain, tls: { ca: 'OWN' } },
  ],
  [
    'a certificate to show',
    { ENDPOINT: 'http://c:4318', CLIENT_CERTIFICATE: '/cert', CLIENT_KEY: '/key' },
    { ...plain, tls: { certificate: 'CERT', key: 'KEY' } },
  ],
] as const)
  test(`where traces go with ${what}`, async () => {
    assert.deepEqual(await addressOf(settings), address)
  })

for (const [settings, why] of [
  [{ ENDPOINT: 'collector:4317' }, 'OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" is no http:// or https:// address'],
  [{ ENDPOINT: 'http://' }, 'OTEL_EXPORTER_OTLP_ENDPOINT: "http://" is no http:// or https:// address'],
  [{ ENDPOINT: 'https:///v1' }, 'OTEL_EXPORTER_OTLP_ENDPOINT: "https:///v1" is no http:// or https:// address'],
  [{ ENDPOINT: 'grpc://c' }, 'OTEL_EXPORTER_OTLP_ENDPOINT: "grpc://c" is no http:// or https:// address'],
  [{ TRACES_ENDPOINT: 'http://[' }, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://[" is no http:// or https:// address'],
  [{ ENDPOINT: 'http://c', TIMEOUT: '0' }, 'OTEL_EXPORTER_OTLP_TIMEOUT: "0" is no number of milliseconds'],
  [{ ENDPOINT: 'http://c', TIMEOUT: 'soon' }, 'OTEL_EXPORTER_OTLP_TIMEOUT: "soon" is no number of milliseconds'],
  [{ ENDPOINT: 'http://c', CLIENT_KEY: '/nowhere' }, 'OTEL_EXPORTER_OTLP_CLIENT_KEY: there is no file /nowhere'],
] as const)
  test(`an address that cannot be used is refused by the word: ${why}`, async () => {
    await assert.rejects(addressOf(settings), { message: why })
  })
