// When a real server 1.34 warns again of the pods that a changed object will have made: seen by changing the same there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { templateWarnings } from './template-warnings.ts'

const port = { containerPort: 80 }
const templateWith = (ports: JsonObject[], annotations: JsonObject = {}): JsonObject => ({
  metadata: { annotations },
  spec: { containers: [{ name: 'a', image: 'b', ports }] },
})
const [plain, odd, oddAgain] = [templateWith([port]), templateWith([port, port]), templateWith([port, port], { q: 'r' })]

function objectOf(kind: string, template: JsonObject, generation: number): JsonObject {
  const metadata = { name: 'a.b', generation }
  if (kind === 'PodTemplate') return { metadata, template }
  return { metadata, spec: kind === 'CronJob' ? { jobTemplate: { spec: { template } } } : { template } }
}

const changes = {
  'gets the odd template': [plain, odd, 2],
  'had it and changes elsewhere': [odd, odd, 2],
  'had it and changes within it': [odd, oddAgain, 2],
  'had it and begins no generation': [odd, odd, 1],
} as const
type Change = keyof typeof changes
const usual: readonly Change[] = ['gets the odd template', 'had it and changes elsewhere', 'had it and changes within it']
const ofTemplate: readonly Change[] = ['gets the odd template', 'had it and changes within it']

for (const [group, kind, warned] of [
  ['apps', 'Deployment', usual],
  ['apps', 'ReplicaSet', usual],
  ['apps', 'StatefulSet', usual],
  ['batch', 'Job', usual],
  ['batch', 'CronJob', usual],
  ['', 'ReplicationController', ['had it and changes elsewhere', 'had it and changes within it']],
  ['apps', 'DaemonSet', ofTemplate],
  ['', 'PodTemplate', usual],
  ['', 'Service', []],
] as const)
  test(`of the pods of a ${kind} is warned again when it ${warned.join(', or ') || 'never mind'}`, () => {
    const at = { PodTemplate: 'template', CronJob: 'spec.jobTemplate.spec.template' }[kind as string] ?? 'spec.template'
    const first = `${at}.spec.containers[0].ports`
    for (const [change, [before, after, generation]] of Object.entries(changes) as [Change, (typeof changes)[Change]][]) {
      const told = templateWarnings(group, kind, objectOf(kind, after, generation), objectOf(kind, before, 1))
      const expected = [`${first}[1]: duplicate port definition with ${first}[0]`]
      assert.deepEqual(told, (warned as readonly Change[]).includes(change) ? expected : [], change)
    }
  })
