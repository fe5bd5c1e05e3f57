// What is read of AWS, past what one answer says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Values } from '#aws'
import { ManualClock } from '#base'
import { tagKeys } from '../api/labels.ts'
import { isOwnedBy } from './certificate.ts'
import { CertificateCloud } from './cloud.ts'

const { signal } = new AbortController()
const owner = { clusterId: 'east', namespace: 'default', name: 'api', uid: 'u1' }
const marks: Readonly<Record<string, string>> = {
  [tagKeys.managedBy]: 'cert-operator',
  [tagKeys.cluster]: 'east',
  [tagKeys.uid]: 'u1',
}

/** A cloud whose answers about tags are these, one after the other. */
function answering(...answers: readonly Readonly<Record<string, string>>[]): { cloud: CertificateCloud; asked(): number } {
  let asked = 0
  const caller = (): Promise<Values> => {
    const tags = answers[Math.min(asked++, answers.length - 1)] ?? {}
    return Promise.resolve({ Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) })
  }
  return { cloud: new CertificateCloud(caller, new ManualClock()), asked: () => asked }
}

function without(name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(marks).filter(([key]) => key !== name))
}

for (const name of Object.keys(marks))
  test(`an answer that leaves out ${name} makes nobody a stranger [S6]`, async () => {
    const { cloud, asked } = answering(without(name), marks)
    assert.ok(isOwnedBy(await cloud.marks('arn', owner, signal), owner))
    assert.equal(asked(), 2)
  })

test('a certificate of somebody else is asked once, and one whose mark is gone twice [#94]', async () => {
  for (const [tags, times] of [
    [{}, 1],
    [{ team: 'shop' }, 1],
    [{ ...marks, [tagKeys.uid]: 'u2' }, 1],
    [without(tagKeys.uid), 2],
  ] as const) {
    const { cloud, asked } = answering(tags)
    assert.ok(!isOwnedBy(await cloud.marks('arn', owner, signal), owner))
    assert.equal(asked(), times)
  }
})
