// Catalogue 175-188: admission webhooks.
import assert from 'node:assert/strict'
import { configMap, definition, establish, ok, open, refused, widgets } from '../fixtures.ts'
import type { Reply, Session } from '../session.ts'
import type { HookHandler, HookReview } from '../target.ts'
import type { Json } from '../transcript.ts'
import type { Case } from './case.ts'

const registration = '/apis/admissionregistration.k8s.io/v1'
const noVector = 'it calls a webhook'

export const cases: readonly Case[] = [
  {
    number: 175,
    title: 'what a mutating webhook adds is stored and owned by nobody',
    noVector,
    run: async s => {
      const patch = [{ op: 'add', path: '/metadata/labels', value: { added: 'yes' } }]
      await withHook(
        s,
        'mutating',
        review => allow(review, { patchType: 'JSONPatch', patch: base64(patch) }),
        {},
        async () => {
          const { body } = ok(await s.post(s.path('configmaps'), configMap('a')), 201)
          assert.deepEqual(body.metadata.labels, { added: 'yes' })
          assert.ok(!JSON.stringify(body.metadata.managedFields).includes('f:labels'))
        },
      )
    },
  },
  {
    number: 176,
    title: 'a denial has the webhook’s code and words, or 400 and none',
    noVector,
    run: async s => {
      const answers: Readonly<Record<string, object>> = {
        coded: { status: { code: 403, message: 'not today', reason: 'Forbidden' } },
        worded: { status: { message: 'no code' } },
        silent: {},
      }
      const deny: HookHandler = review => answer(review, { allowed: false, ...answers[review.request.name as string] })
      await withHook(s, 'validating', deny, {}, async () => {
        const denied = async (name: string): Promise<Reply> => s.post(s.path('configmaps'), configMap(name))
        refused(
          await denied('coded'),
          403,
          'Forbidden',
          /^admission webhook "hook\.c176\.example\.com" denied the request: not today$/,
        )
        refused(await denied('worded'), 400, undefined, /^admission webhook ".*" denied the request: no code$/)
        refused(await denied('silent'), 400, undefined, /^admission webhook ".*" denied the request without explanation$/)
      })
    },
  },
  {
    number: 177,
    title: 'a webhook that fails refuses with Fail and is passed over with Ignore',
    noVector,
    run: async s => {
      const fails: HookHandler = () => undefined
      await withHook(s, 'validating', fails, {}, async () => {
        refused(
          await s.post(s.path('configmaps'), configMap('a')),
          500,
          'InternalError',
          /^Internal error occurred: failed calling webhook "/,
        )
      })
      await withHook(s, 'validating', fails, { failurePolicy: 'Ignore' }, async () => {
        ok(await s.post(s.path('configmaps'), configMap('b')), 201)
      })
    },
  },
  {
    number: 178,
    title: 'a webhook that does not answer fails when its time is up',
    noVector: 'it calls a webhook and takes a second',
    run: async s => {
      const never = (): Promise<never> => new Promise(() => {})
      await withHook(s, 'validating', never, { timeoutSeconds: 1 }, async () => {
        const reply = await s.post(s.path('configmaps'), configMap('a'))
        refused(
          reply,
          500,
          'InternalError',
          /failed calling webhook "hook\.c178\.example\.com": failed to call webhook: .*deadline exceeded/,
        )
      })
    },
  },
  {
    number: 179,
    title: 'an answer for another request, or a patch without its type, is a failed call',
    noVector,
    run: async s => {
      await withHook(
        s,
        'validating',
        review => ({ ...allow(review), response: { uid: 'other', allowed: true } }),
        {},
        async () => {
          refused(await s.post(s.path('configmaps'), configMap('a')), 500, 'InternalError')
        },
      )
      await withHook(
        s,
        'mutating',
        review => allow(review, { patch: base64([]) }),
        {},
        async () => {
          refused(await s.post(s.path('configmaps'), configMap('a')), 500, 'InternalError')
        },
      )
    },
  },
  {
    number: 180,
    title: 'an object selector matches the old object as well as the new',
    noVector,
    run: async s => {
      const names: string[] = []
      const note: HookHandler = review => {
        names.push(`${review.request.operation} ${review.request.name}`)
        return allow(review)
      }
      await withHook(s, 'validating', note, { objectSelector: { matchLabels: { watched: 'yes' } } }, async () => {
        ok(await s.post(s.path('configmaps'), configMap('plain')), 201)
        ok(await s.post(s.path('configmaps'), configMap('seen', {}, { labels: { watched: 'yes' } })), 201)
        const seen = s.path('configmaps', 'seen')
        const { body } = ok(await s.patch(seen, 'merge', { metadata: { labels: { watched: null } } }))
        // An update begins at what the server's cache holds, which still is the labelled one for a moment: a read of this version waits for it.
        ok(await s.get(`${seen}?resourceVersion=${body.metadata.resourceVersion}`))
        ok(await s.patch(seen, 'merge', { data: { now: 'unseen' } }))
        assert.deepEqual(names, ['CREATE seen', 'UPDATE seen'])
      })
    },
  },
  {
    number: 181,
    title: 'match conditions skip, and fail as the policy says',
    noVector,
    run: async s => {
      const deny: HookHandler = review => answer(review, { allowed: false })
      const only = { matchConditions: [{ name: 'only', expression: 'object.metadata.name == "matched"' }] }
      await withHook(s, 'validating', deny, only, async () => {
        ok(await s.post(s.path('configmaps'), configMap('other')), 201)
        assert.equal((await s.post(s.path('configmaps'), configMap('matched'))).status, 400)
      })
      const broken = {
        matchConditions: [{ name: 'broken', expression: 'object.metadata.name != "probe" && object.nothing.here == "x"' }],
      }
      await withHook(
        s,
        'validating',
        review => allow(review),
        broken,
        async () => {
          refused(await s.post(s.path('configmaps'), configMap('broken')), 403, 'Forbidden')
        },
      )
    },
  },
  {
    number: 182,
    title: 'a webhook that wants it is called again when a later one changed the object',
    noVector,
    run: async s => {
      let calls = 0
      const first = await s.target.hook(review => {
        calls++
        return allow(review)
      })
      const patch = [{ op: 'add', path: '/metadata/labels', value: { late: 'yes' } }]
      const second = await s.target.hook(review => allow(review, { patchType: 'JSONPatch', patch: base64(patch) }))
      const hooks = [
        { ...hookOf(s, first.clientConfig, {}), name: `first.${s.group}`, reinvocationPolicy: 'IfNeeded' },
        { ...hookOf(s, second.clientConfig, {}), name: `second.${s.group}` },
      ]
      await registered(s, 'mutating', hooks, async () => {
        const before = calls
        ok(await s.post(s.path('configmaps'), configMap('a')), 201)
        assert.equal(calls - before, 2)
      })
      await first.close()
      await second.close()
    },
  },
  {
    number: 183,
    title: 'a dry run is told to a webhook without side effects',
    noVector,
    run: async s => {
      const seen: unknown[] = []
      const note: HookHandler = review => {
        seen.push(review.request.dryRun, review.request.options.dryRun)
        return allow(review)
      }
      await withHook(s, 'validating', note, { sideEffects: 'NoneOnDryRun' }, async () => {
        ok(await s.post(`${s.path('configmaps')}?dryRun=All`, configMap('a')), 201)
        assert.deepEqual(seen, [true, ['All']])
      })
    },
  },
  {
    number: 184,
    title: 'for a deletion the webhook sees the old object and no new one',
    noVector,
    run: async s => {
      let seen: HookReview['request']
      const note: HookHandler = review => {
        seen = review.request
        return allow(review)
      }
      await withHook(s, 'validating', note, { operations: ['DELETE'] }, async () => {
        ok(await s.post(s.path('configmaps'), configMap('a')), 201)
        ok(await s.delete(s.path('configmaps', 'a')))
        assert.deepEqual([seen.operation, seen.object, seen.oldObject.metadata.name, seen.name], ['DELETE', null, 'a', 'a'])
        assert.equal(seen.options.kind, 'DeleteOptions')
      })
    },
  },
  {
    number: 185,
    title: 'webhooks do not see webhook configurations',
    noVector,
    run: async s => {
      const seen: string[] = []
      const note: HookHandler = review => {
        seen.push(review.request.resource.resource as string)
        return allow(review)
      }
      const everything = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], scope: '*' }
      await withHook(s, 'validating', note, { rules: [everything], namespaceSelector: {} }, async () => {
        const empty = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration' }
        ok(await s.post(`${registration}/mutatingwebhookconfigurations`, { ...empty, metadata: { name: 'unseen' } }), 201)
        ok(await s.delete(`${registration}/mutatingwebhookconfigurations/unseen`))
        ok(await s.post(s.path('configmaps'), configMap('seen')), 201)
      })
      assert.ok(seen.includes('configmaps'))
      assert.ok(!seen.some(resource => resource.endsWith('webhookconfigurations')), seen.join())
    },
  },
  {
    number: 186,
    title: 'warnings of a webhook reach the client',
    noVector,
    run: async s => {
      await withHook(
        s,
        'validating',
        review => allow(review, { warnings: ['take care'] }),
        {},
        async () => {
          const reply = ok(await s.post(s.path('configmaps'), configMap('a')), 201)
          assert.equal(String(reply.headers['warning']), '299 - "take care"')
        },
      )
    },
  },
  {
    number: 187,
    title: 'a rule for one version is asked about an equivalent one, with the object converted',
    noVector,
    run: async s => {
      const served = (name: string): Json => ({
        name,
        served: true,
        storage: name === 'v1',
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: open } } },
      })
      await establish(s, definition(s, { versions: [served('v1'), served('v2')] }))
      await s.until(widgets(s, '', 'v2'), reply => reply.status === 200)
      const seen: HookReview[] = []
      const note: HookHandler = review => {
        seen.push(review)
        return allow(review)
      }
      const rules = [{ operations: ['CREATE'], apiGroups: [s.group], apiVersions: ['v1'], resources: ['widgets'] }]
      await withHook(s, 'validating', note, { rules, matchPolicy: 'Equivalent' }, async () => {
        const object = { apiVersion: `${s.group}/v2`, kind: 'Widget', metadata: { name: 'w' }, spec: { a: '1' } }
        ok(await s.post(widgets(s, '', 'v2'), object), 201)
      })
      const [review] = seen
      assert.equal(seen.length, 1)
      assert.ok(review)
      const { resource, requestResource, kind, requestKind, object } = review.request
      assert.deepEqual([resource.version, requestResource.version, kind.version, requestKind.version], ['v1', 'v2', 'v1', 'v2'])
      assert.equal(object.apiVersion, `${s.group}/v1`)
    },
  },
  {
    number: 188,
    title: 'an object whose finalizer may not be removed stays',
    noVector,
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('a', {}, { finalizers: ['example.com/hold'] })), 201)
      ok(await s.delete(s.path('configmaps', 'a')))
      await withHook(
        s,
        'validating',
        review => answer(review, { allowed: review.request.name !== 'a' }),
        { operations: ['UPDATE'] },
        async () => {
          assert.equal((await s.patch(s.path('configmaps', 'a'), 'merge', { metadata: { finalizers: null } })).status, 400)
          ok(await s.get(s.path('configmaps', 'a')))
        },
      )
    },
  },
]

type Phase = 'mutating' | 'validating'

async function withHook(
  s: Session,
  phase: Phase,
  handler: HookHandler,
  options: HookOptions,
  run: () => Promise<void>,
): Promise<void> {
  const hook = await s.target.hook((review, target) => (isProbe(review) ? probed(review) : handler(review, target)))
  try {
    await registered(s, phase, [hookOf(s, hook.clientConfig, options)], run)
  } finally {
    await hook.close()
  }
}

/** The real server learns of a configuration a moment later: a probe object is refused as soon as it has. */
async function registered(s: Session, phase: Phase, hooks: readonly Json[], run: () => Promise<void>): Promise<void> {
  const kind = phase === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration'
  const plural = `${phase}webhookconfigurations`
  const probe = await s.target.hook(review => probed(review))
  const probeHook = {
    ...hookOf(s, probe.clientConfig, { objectSelector: { matchLabels: { probe: 'yes' } } }),
    name: `probe.${s.group}`,
  } as Json
  const body: Json = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: s.ns },
    webhooks: [probeHook, ...hooks],
  }
  ok(await s.post(`${registration}/${plural}`, body), 201)
  try {
    const object = configMap('probe', {}, { labels: { probe: 'yes' }, finalizers: ['example.com/probe'] })
    await s.retry('POST', `${s.path('configmaps')}?dryRun=All`, reply => /probe refused/.test(reply.body.message), {
      body: object,
    })
    await run()
  } finally {
    await s.delete(`${registration}/${plural}/${s.ns}`)
    await probe.close()
    await s.retry('POST', `${s.path('configmaps')}?dryRun=All`, reply => reply.status === 201, {
      body: configMap('probe', {}, { labels: { probe: 'yes' } }),
    })
  }
}

function isProbe(review: HookReview): boolean {
  return review.request.name === 'probe'
}

function probed(review: HookReview): object {
  return answer(review, { allowed: false, status: { message: 'probe refused' } })
}

/** Members of the webhook, and which operations it is called for. */
type HookOptions = { readonly operations?: readonly string[] } & Readonly<Record<string, Json>>

/** Sees the session's own ConfigMaps only. */
function hookOf(s: Session, clientConfig: Readonly<Record<string, string>>, options: HookOptions): Record<string, Json> {
  const { operations = ['CREATE', 'UPDATE'], ...rest } = options
  return {
    name: `hook.${s.group}`,
    clientConfig,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': s.ns } },
    rules: [
      { operations: [...new Set([...operations, 'CREATE'])], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
    ],
    ...rest,
  }
}

function allow(review: HookReview, rest: object = {}): { response: object } {
  return answer(review, { allowed: true, ...rest })
}

function answer(review: HookReview, response: object): { response: object } {
  return { apiVersion: review.apiVersion, kind: review.kind, response: { uid: review.request.uid, ...response } } as {
    response: object
  }
}

function base64(patch: readonly object[]): string {
  return Buffer.from(JSON.stringify(patch)).toString('base64')
}
