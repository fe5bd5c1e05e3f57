// Catalogue 172: versions that only a webhook can convert.
import assert from 'node:assert/strict'
import { crds, definition, isEstablished, ok, open, refused, widget } from '../fixtures.ts'
import type { Session } from '../session.ts'
import type { HookReview } from '../target.ts'
import type { Json } from '../transcript.ts'
import type { Case } from './case.ts'

interface Converted {
  apiVersion: string
  metadata: { name: string; labels?: Record<string, string> }
  spec: Record<string, unknown>
}

/** Answers with the objects as `change` makes them. */
function converter(change: (objects: Converted[]) => unknown[]): (review: HookReview) => unknown {
  return review => {
    const { uid, desiredAPIVersion, objects } = review.request
    const convertedObjects = change(objects.map(object => ({ ...object, apiVersion: desiredAPIVersion }) as Converted))
    return {
      apiVersion: review.apiVersion,
      kind: review.kind,
      response: { uid, convertedObjects, result: { status: 'Success' } },
    }
  }
}

const version = (name: string): Json => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: open } } },
})

async function withConverter(s: Session, change: (objects: Converted[]) => unknown[], run: () => Promise<void>): Promise<void> {
  const hook = await s.target.hook(converter(change))
  try {
    const conversion = {
      strategy: 'Webhook',
      webhook: { clientConfig: hook.clientConfig, conversionReviewVersions: ['v1'] },
    }
    ok(await s.post(crds, definition(s, { versions: [version('v1'), version('v2')], spec: { conversion } as never })), 201)
    await s.until(`${crds}/widgets.${s.group}`, isEstablished)
    s.widgetGroup = s.group
    await s.retry('POST', s.path(`widgets.${s.group}/v1`), reply => reply.status === 201, { body: widget(s, 'w', { a: '1' }) })
    await run()
  } finally {
    await s.delete(`${crds}/widgets.${s.group}`)
    await s.until(`${crds}/widgets.${s.group}`, reply => reply.status === 404)
    await hook.close()
  }
}

export const cases: readonly Case[] = [
  {
    number: 172,
    title: 'a converter is believed as far as it keeps names and numbers',
    noVector: 'it calls a webhook',
    run: async s => {
      const second = s.path(`widgets.${s.group}/v2`, 'w')
      const renamed = (object: Converted): Converted => ({ ...object, metadata: { ...object.metadata, name: 'other' } })
      const moved = (object: Converted): Converted => ({ ...object, spec: { b: object.spec['a'] } })
      await withConverter(
        s,
        objects => objects.map(moved),
        async () => {
          const { body } = ok(await s.get(second))
          assert.deepEqual([body.apiVersion, body.spec], [`${s.group}/v2`, { b: '1' }])
        },
      )
      await withConverter(
        s,
        objects => objects.map(renamed),
        async () =>
          refused(
            await s.get(second),
            500,
            undefined,
            /conversion webhook for .* returned invalid object: must have the same name: w != other$/,
          ),
      )
      await withConverter(
        s,
        () => [],
        async () => refused(await s.get(second), 500, undefined, /conversion webhook for .* returned 0 objects, expected 1/),
      )
    },
  },
]
