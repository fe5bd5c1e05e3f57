// How a resource that stands in AWS is taken over: our record first, then the annotation with what the manifest is filled with.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations, conditions, ownerTag } from '../api.ts'
import type { Deviation } from '../kinds/deviation.ts'
import type { Content } from '../model/request.ts'
import { recordCondition } from '../ownership/ownership-record.ts'
import { madeUpKind, map } from '../testing/made-up-kind.ts'
import { arn, type Circumstances, inOneLine, present, situationOf, uid } from '../testing/situation.ts'
import type { ResourcePlan } from './actions.ts'
import { adopt } from './adopt.ts'

const tags = (said: Readonly<Record<string, string>>): object => ({
  tags: Object.entries(said).map(([key, value]) => ({ key, value })),
})

interface Case extends Circumstances {
  readonly latest?: Partial<Content>
  readonly policy?: 'adopt' | 'adopt-or-create'
  /** The mark on record of an adoption that was begun. */
  readonly mark?: string | null
}

const content = (spec: object = tags({})): Content => {
  const found = present(spec)
  return found.kind === 'present' ? found.content : assert.fail()
}

function adopted({ latest, policy = 'adopt', mark, ...more }: Case): ResourcePlan {
  const note = recordCondition({ kind: 'adopted', formerMark: mark ?? undefined, identity: {} })
  const status =
    mark === undefined
      ? undefined
      : { ackResourceMetadata: { arn }, conditions: [{ ...note, type: conditions.ownership, lastTransitionTime: '' }] }
  return adopt(situationOf({ status, metadata: { finalizers: [] }, ...more }), { ...content(), ...latest }, policy)
}

const onRecord: Case = { mark: null }
interface Body {
  readonly metadata: { readonly finalizers?: readonly string[]; readonly annotations: object }
  readonly spec?: Readonly<Record<string, unknown>>
}
const patched = (of: Case): { readonly key: object; readonly body: Body } => {
  const [patch] = adopted({ ...onRecord, ...of }).actions
  assert.equal(patch?.kind, 'patch')
  return patch as unknown as { readonly key: object; readonly body: Body }
}
const filled = (of: Case): unknown => patched(of).body.spec
const about = 'ResourceSynced=False Adopted; again in 0'

test('our record stands before anything that the object says [6.4]', () => {
  const plan = adopted({ latest: content(tags({ [ownerTag]: 'u2' })) })
  assert.equal(inOneLine(plan), `Ownership=True Adopted, ${about}`)
  const note = plan.conditions.find(({ type }) => type === conditions.ownership)
  assert.equal(note?.message, JSON.stringify({ mark: 'u2' }))
  assert.deepEqual(plan.status?.['ackResourceMetadata'], {
    arn,
    ownerAccountID: '111122223333',
    partition: 'aws',
    region: 'eu-west-1',
  })
  assert.deepEqual(
    plan.conditions.filter(({ type }) => type === conditions.ready).map(({ status, reason }) => [status, reason]),
    [['False', 'Adopted']],
  )
  const another = adopted({ mark: 'u2', latest: content(tags({ [ownerTag]: 'u3' })) })
  assert.equal(inOneLine(another), `Ownership=True Adopted, ${about}`, 'the record is of another mark')
})

test('what has no ARN is on record by what it is called [6.4]', () => {
  const { spec } = content()
  const message = (latest: Partial<Content>): string | undefined =>
    adopted({ latest }).conditions.find(({ type }) => type === conditions.ownership)?.message
  assert.equal(message({ spec, arn: undefined }), JSON.stringify({ is: { name: 'one' } }))
  assert.equal(message({ spec }), '{}')
})

test('what another resource was sent is not on record of this one [6.4]', () => {
  const sent = { type: conditions.sent, status: 'True', reason: 'Sent', message: '{}', lastTransitionTime: '' }
  const plan = adopted({ status: { conditions: [sent] } })
  assert.match(inOneLine(plan), /Sent=False NothingSent/)
  assert.doesNotMatch(inOneLine(adopted({})), /Sent/)
})

test('on record, it is taken over with the manifest filled in, or as the manifest says [6.4]', () => {
  const plan = adopted(onRecord)
  assert.equal(inOneLine(plan), `patch, event Adopted; ${about}`)
  const { key, body } = patched({})
  assert.deepEqual(key, { namespace: 'default', name: 'one' })
  assert.deepEqual(body.metadata.annotations, { [annotations.adopted]: 'true' })
  assert.equal(body.metadata.finalizers?.length, 1)
  assert.equal(body.spec?.['name'], 'one')
  assert.equal(filled({ policy: 'adopt-or-create' }), undefined)
  const finalizers = ['another/one']
  assert.deepEqual(patched({ metadata: { finalizers } }).body.metadata.finalizers, [
    ...finalizers,
    ...(body.metadata.finalizers ?? []),
  ])
  assert.equal(patched({ metadata: {} }).body.metadata.finalizers, undefined, 'ours is there')
  assert.equal(patched({ mark: 'u2', latest: content(tags({ [ownerTag]: 'u2' })) }).body.spec?.['name'], 'one')
})

test('the event says what was taken over [6.4]', () => {
  const message = (latest: Partial<Content>): unknown => {
    const event = adopted({ ...onRecord, latest }).actions[1] as unknown as { readonly message: string }
    return event.message
  }
  assert.deepEqual([message({}), message({ arn: undefined })], [`taken over ${arn}`, 'taken over'])
})

test('the manifest is filled with the tags that are the user’s [6.4]', () => {
  const latest = content(tags({ 'aws:cloudformation:stack': 's', [ownerTag]: 'u2', managed: 'by us', team: 'a' }))
  const wanted = { spec: tags({ managed: 'by us', [ownerTag]: uid }) as Content['spec'], status: {} }
  const spec = filled({ mark: 'u2', latest, seen: { wanted } }) as Content['spec']
  assert.deepEqual(spec['tags'], [{ key: 'team', value: 'a' }])
})

test('a kind says what its manifest is filled with [6.4]', () => {
  const deviation: Deviation = { adoptedSpec: ({ path: _path, ...spec }, { arn: of }) => ({ ...spec, description: of }) }
  const spec = filled({ deviation }) as Content['spec']
  assert.deepEqual([spec['description'], spec['path']], [arn, undefined])
})

test('where the manifest says in which region it is, it goes on saying so [6.4]', () => {
  const regional = { settings: { regionInSpec: true }, spec: { Region: 'string', Tags: map('string') } } as const
  const region = (settings: typeof regional.settings | object, said: object): unknown =>
    (filled({ model: madeUpKind({ ...regional, settings }), spec: said }) as Content['spec'])['region']
  assert.equal(region(regional.settings, { region: 'eu-west-3' }), 'eu-west-3')
  assert.equal(region({}, { region: 'eu-west-3' }), undefined)
  const spec = filled({ model: madeUpKind(regional) }) as object
  assert.equal('region' in spec, false)
})

test('only what carries the tag that the manifest asks for is taken over [6.4]', () => {
  const asking = { [annotations.adoptionTag]: 'team' }
  const at = (wanted: object, latest: object): string => {
    const seen = { wanted: { spec: wanted as Content['spec'], status: {} } }
    return inOneLine(adopted({ annotations: asking, seen, latest: content(latest) }))
  }
  assert.match(at(tags({ team: 'a' }), tags({ team: 'a' })), /^Ownership=True Adopted/)
  assert.equal(at(tags({ team: 'a' }), tags({ team: 'b' })), 'stop ResourceExists')
  assert.equal(at(tags({ team: 'a' }), tags({})), 'stop ResourceExists')
  assert.equal(at(tags({}), tags({ team: 'a' })), 'stop ResourceExists')
  assert.equal(at(tags({}), tags({})), 'stop ResourceExists', 'a manifest without the tag asks for nothing')
})
