import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { refusals } from '../../testing/refusals.ts'

const configMap = (content: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c' },
  ...content,
})
const secret = (content: JsonObject, annotations: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's', annotations },
  ...content,
})
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const keyForm =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
const long = (length: number): string => 'k'.repeat(length)

const keys: readonly (readonly [key: string, ...told: string[]])[] = [
  ['a'],
  ['A_b-c.d9'],
  ['.hidden'],
  [long(253)],
  [long(254), 'must be no more than 253 characters'],
  ['', keyForm],
  ['a b', keyForm],
  ['.', "must not be '.'"],
  ['..', "must not be '..'"],
  ['..data', "must not start with '..'"],
]

test('a key of a ConfigMap or a Secret is the name of a file', () => {
  for (const [key, ...told] of keys) {
    const lines = (field: string): string[] => told.map(why => `${field}[${key}]: Invalid value: "${key}": ${why}`)
    assert.deepEqual(refusals(configMap({ data: { [key]: 'x' } })), lines('data'))
    assert.deepEqual(refusals(configMap({ binaryData: { [key]: 'eA==' } })), lines('binaryData'))
    assert.deepEqual(refusals(secret({ data: { [key]: 'eA==' } })), lines('data'))
  }
})

test('a ConfigMap says each key once, as text or as bytes', () => {
  assert.deepEqual(refusals(configMap({ data: { a: 'x', b: 'x' }, binaryData: { a: 'eA==' } })), [
    'data[a]: Invalid value: "a": duplicate of key present in binaryData',
  ])
})

const mebibyte = 1_048_576
const tooLong = 'Too long: may not be more than 1048576 bytes'

test('a ConfigMap holds a mebibyte of text and bytes together, and a Secret one of bytes', () => {
  const halves = (more: number): JsonObject => ({
    data: { a: 'é'.repeat(mebibyte / 4) },
    binaryData: { b: base64('x'.repeat(mebibyte / 2 + more)) },
  })
  assert.deepEqual(refusals(configMap(halves(0))), [])
  assert.deepEqual(refusals(configMap(halves(1))), [`[]: ${tooLong}`])
  const two = (more: number): JsonObject => ({ a: base64('x'.repeat(mebibyte / 2)), b: base64('y'.repeat(mebibyte / 2 + more)) })
  assert.deepEqual(refusals(secret({ data: two(0) })), [])
  assert.deepEqual(refusals(secret({ data: two(1) })), [`data: ${tooLong}`])
})

const frozen = 'Forbidden: field is immutable when `immutable` is set'

test('what is immutable stays so, with all that it holds', () => {
  const old = configMap({ immutable: true, data: { a: 'x' }, binaryData: { b: 'eA==' } })
  assert.deepEqual(refusals(old, { old }), [])
  assert.deepEqual(refusals({ ...old, metadata: { name: 'c', labels: { a: 'b' } } }, { old }), [])
  assert.deepEqual(refusals({ ...old, immutable: false }, { old }), [`immutable: ${frozen}`])
  assert.deepEqual(refusals({ ...old, data: { a: 'y' } }, { old }), [`data: ${frozen}`])
  assert.deepEqual(refusals({ ...old, binaryData: {} }, { old }), [`binaryData: ${frozen}`])
  assert.deepEqual(refusals({ ...old, data: { a: 'y' } }, { old: { ...old, immutable: false } }), [])
  const hidden = secret({ immutable: true, data: { a: 'eA==' } })
  assert.deepEqual(refusals(hidden, { old: hidden }), [])
  assert.deepEqual(refusals(secret({ data: {} }), { old: hidden }), [`immutable: ${frozen}`, `data: ${frozen}`])
  assert.deepEqual(refusals(secret({ data: {} }), { old: secret({ data: { a: 'eA==' } }) }), [])
  assert.deepEqual(refusals(secret({ type: 'other' }), { old: secret({}) }), ['type: Invalid value: "other": field is immutable'])
})

const noJson = (key: string, why: string): string => `data[${key}]: Invalid value: "<secret contents redacted>": ${why}`
const [config, json] = ['.dockercfg', '.dockerconfigjson']

const types: readonly (readonly [type: string, data: Record<string, string>, ...told: string[]])[] = [
  ['Opaque', {}],
  ['kubernetes.io/dockercfg', { [config]: '{}' }],
  ['kubernetes.io/dockercfg', {}, `data[${config}]: Required value`],
  ['kubernetes.io/dockercfg', { [config]: 'x' }, noJson(config, "invalid character 'x' looking for beginning of value")],
  ['kubernetes.io/dockerconfigjson', { [json]: '{"auths":{}}' }],
  ['kubernetes.io/dockerconfigjson', { [json]: '{"\\u00e9":"\\uD83D\\uDE00x"}' }],
  [
    'kubernetes.io/dockerconfigjson',
    { [json]: '{"\\u00e":1}' },
    noJson(json, "invalid character '\"' in \\u hexadecimal character escape"),
  ],
  ['kubernetes.io/dockerconfigjson', {}, `data[${json}]: Required value`],
  ['kubernetes.io/dockerconfigjson', { [json]: '' }, noJson(json, 'unexpected end of JSON input')],
  ['kubernetes.io/dockerconfigjson', { [json]: ' \n' }, noJson(json, 'unexpected end of JSON input')],
  ['kubernetes.io/dockerconfigjson', { [json]: 'nope' }, noJson(json, "invalid character 'o' in literal null (expecting 'u')")],
  ['kubernetes.io/dockerconfigjson', { [json]: 'truth' }, noJson(json, "invalid character 't' in literal true (expecting 'e')")],
  ['kubernetes.io/dockerconfigjson', { [json]: 'fast' }, noJson(json, "invalid character 's' in literal false (expecting 'l')")],
  ['kubernetes.io/dockerconfigjson', { [json]: 'nullx' }, noJson(json, "invalid character 'x' after top-level value")],
  ['kubernetes.io/dockerconfigjson', { [json]: 'true false' }, noJson(json, "invalid character 'f' after top-level value")],
  ['kubernetes.io/dockerconfigjson', { [json]: 'nut' }, noJson(json, "invalid character 't' in literal null (expecting 'l')")],
  ['kubernetes.io/basic-auth', {}, 'data[username]: Required value', 'data[password]: Required value'],
  ['kubernetes.io/basic-auth', { username: 'u' }],
  ['kubernetes.io/basic-auth', { password: 'p' }],
  ['kubernetes.io/ssh-auth', { 'ssh-privatekey': 'k' }],
  ['kubernetes.io/ssh-auth', { 'ssh-privatekey': '' }, 'data[ssh-privatekey]: Required value'],
  ['kubernetes.io/ssh-auth', {}, 'data[ssh-privatekey]: Required value'],
  ['kubernetes.io/tls', { 'tls.crt': '', 'tls.key': '' }],
  ['kubernetes.io/tls', {}, 'data[tls.crt]: Required value', 'data[tls.key]: Required value'],
]

for (const [type, data, ...told] of types)
  test(`a Secret of type ${type} with ${JSON.stringify(data)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    const encoded = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)]))
    assert.deepEqual(refusals(secret({ type, data: encoded })), told)
  })

test('a registry is told of in an object, or in nothing', () => {
  const told = (content: string): readonly string[] =>
    refusals(secret({ type: 'kubernetes.io/dockerconfigjson', data: { [json]: base64(content) } }))
  assert.deepEqual(told('null'), [])
  for (const [content, kind] of [
    ['[]', 'array'],
    ['"a"', 'string'],
    ['1', 'number'],
    ['true', 'bool'],
  ] as const)
    assert.deepEqual(told(content), [
      noJson(json, `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`),
    ])
})

test("a token's Secret names the account that it is of", () => {
  const type = 'kubernetes.io/service-account-token'
  const account = 'kubernetes.io/service-account.name'
  assert.deepEqual(refusals(secret({ type }, { [account]: 'a' })), [])
  assert.deepEqual(refusals(secret({ type })), [`metadata.annotations[${account}]: Required value`])
  assert.deepEqual(refusals(secret({ type }, { [account]: '' })), [`metadata.annotations[${account}]: Required value`])
})
