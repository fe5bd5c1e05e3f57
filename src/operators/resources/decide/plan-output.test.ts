// Whether what AWS made is in the Secret that it belongs into, and what is said of a Secret that cannot be used.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations } from '../api.ts'
import type { SecretOutput } from '../kinds/deviation.ts'
import type { Content } from '../model/request.ts'
import type { Output } from '../seen/seen.ts'
import { madeUpKind } from '../testing/made-up-kind.ts'
import { arn, type Circumstances, inOneLine, situationOf } from '../testing/situation.ts'
import type { OutputAction } from './actions.ts'
import { planOutput } from './plan-output.ts'
import { unusable } from './unusable.ts'

const target = { namespace: 'default', name: 's', key: 'tls.crt' }
const output = (version: string | undefined): SecretOutput => ({
  target: () => target,
  version: () => version,
  alsoKeys: ['tls.key'],
  fetch: () => Promise.resolve({}),
})
const full = { 'tls.crt': 'a', 'tls.key': 'b' }
const found = (data: object | undefined, mark?: string): Output =>
  ({
    kind: 'found',
    target,
    secret: {
      metadata: { uid: 's1', resourceVersion: '3', annotations: mark === undefined ? {} : { [annotations.exported]: mark } },
      ...(data === undefined ? {} : { data }),
    },
  }) as unknown as Output

function planned(seen: Output, { version = 'v1', hasArn = true }: { version?: string; hasArn?: boolean } = {}) {
  const latest: Content = { spec: {}, status: {}, ...(hasArn ? { arn } : {}) }
  return planOutput(situationOf({ seen: { output: seen } }), latest, output(version === '' ? undefined : version))
}

test('a Secret that has what AWS has is left alone', () => {
  assert.equal(planned(found(full, `${arn} v1`)), undefined)
  assert.equal(planned(found(full, ' v1'), { hasArn: false }), undefined)
  assert.equal(planned({ kind: 'none' }), undefined, 'nobody asks for it')
  assert.equal(planned(found(undefined), { version: '' }), undefined, 'AWS has nothing yet')
})

test('a Secret that has another version, or lacks a key, is written', () => {
  const plan = planned(found(full, `${arn} v0`))
  assert.ok(plan)
  assert.equal(inOneLine(plan), 'act:output, event Exported; again in 0')
  const [action] = plan.actions as readonly OutputAction[]
  assert.deepEqual([action?.mark, action?.secretUid, action?.secretVersion], [`${arn} v1`, 's1', '3'])
  const [nameless] = (planned(found(full), { hasArn: false })?.actions ?? []) as readonly OutputAction[]
  assert.equal(nameless?.mark, ' v1')
  const lacking = [undefined, {}, { ...full, 'tls.key': '' }, { 'tls.crt': 'a' }, { 'tls.key': 'b' }]
  for (const data of lacking) assert.ok(planned(found(data, `${arn} v1`)), JSON.stringify(data))
})

test('a Secret that cannot be used is terminal, and what is known of the resource is told all the same', () => {
  const plan = planned({ kind: 'unusable', message: 'm' })
  assert.match(plan === undefined ? '' : inOneLine(plan), /^Terminal=True SecretUnusable/)
  assert.ok(plan?.status)
})

test('a Secret of which nobody tells us is looked at each minute [6.4]', () => {
  const model = madeUpKind({ spec: { Password: 'secret' } })
  const at = (of: Circumstances): string =>
    inOneLine(unusable(situationOf({ model, deviation: {}, spec: { password: { name: 's', key: 'k' } }, ...of }), 'm'))
  assert.match(at({ settings: { watchSecrets: false } }), /again in 60000$/)
  assert.doesNotMatch(at({}), /again in 60000$/)
})
