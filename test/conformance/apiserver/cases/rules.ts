// Catalogue 164-170: rules in CEL, as a definition's author meets them. scripts/cel.ts has the language in breadth.
import assert from 'node:assert/strict'
import type { Answer } from '../../../../src/apiserver/ask.fixture.ts'
import { crds, definition, establish, ok, refused, widget, widgets } from '../fixtures.ts'
import type { Session } from '../session.ts'
import type { Json } from '../transcript.ts'
import type { Case } from './case.ts'

function schemaOf(properties: Readonly<Record<string, Json>>, rules: readonly Json[] = []): Json {
  const spec = { type: 'object', properties, ...(rules.length > 0 ? { 'x-kubernetes-validations': rules } : {}) } as Json
  return { type: 'object', properties: { spec } }
}

const size = { type: 'integer' } satisfies Json
const color = { type: 'string' } satisfies Json

/** Widgets of the session's own, with these properties and rules of the spec. */
async function defined(s: Session, properties: Readonly<Record<string, Json>>, rules: readonly Json[] = []): Promise<void> {
  await establish(s, definition(s, { schema: schemaOf(properties, rules) }))
}

export const cases: readonly Case[] = [
  {
    number: 164,
    title: 'a rule that fails is told at its node, whose type stands for its value',
    run: async s => {
      await defined(s, { size }, [{ rule: 'self.size <= 5', message: 'at most five' }])
      ok(await s.post(widgets(s), widget(s, 'a', { size: 5 })), 201)
      const reply = await s.post(widgets(s), widget(s, 'b', { size: 6 }))
      refused(reply, 422, 'Invalid', `Widget.${s.group} "b" is invalid: spec: Invalid value: "object": at most five`)
      assert.deepEqual(reply.body.details.causes[0]?.field, 'spec')
    },
  },
  {
    number: 165,
    title: 'a rule about the old value lets an object be created and not be changed',
    run: async s => {
      await defined(s, {
        color: { ...color, 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'fixed' }] } as Json,
      })
      ok(await s.post(widgets(s), widget(s, 'a', { color: 'red' })), 201)
      ok(await s.patch(widgets(s, 'a'), 'merge', { spec: { color: 'red' }, metadata: { labels: { a: 'b' } } }))
      const reply = await s.patch(widgets(s, 'a'), 'merge', { spec: { color: 'blue' } })
      refused(reply, 422, 'Invalid', /spec\.color: Invalid value: "string": fixed$/)
    },
  },
  {
    number: 166,
    title: 'with optionalOldSelf a rule runs on creation, where there is no old value',
    run: async s => {
      const rule = { rule: 'oldSelf.hasValue() || self.size == 1', message: 'begin with one', optionalOldSelf: true }
      await defined(s, { size }, [rule])
      refused(await s.post(widgets(s), widget(s, 'a', { size: 2 })), 422, 'Invalid', /begin with one$/)
      ok(await s.post(widgets(s), widget(s, 'a', { size: 1 })), 201)
      ok(await s.patch(widgets(s, 'a'), 'merge', { spec: { size: 2 } }))
    },
  },
  {
    number: 167,
    title: 'message expression, reason and field path shape the refusal',
    run: async s => {
      const rule = {
        rule: "self.color != 'green'",
        messageExpression: "'not ' + self.color",
        reason: 'FieldValueForbidden',
        fieldPath: '.color',
      }
      await defined(s, { color }, [rule])
      const reply = await s.post(widgets(s), widget(s, 'a', { color: 'green' }))
      refused(reply, 422, 'Invalid')
      assert.deepEqual(reply.body.details.causes, [
        { reason: 'FieldValueForbidden', message: 'Forbidden: not green', field: 'spec.color' },
      ])
    },
  },
  {
    number: 168,
    title: 'what became invalid may stay, and what changes must be right',
    run: async s => {
      await defined(s, { size, color })
      ok(await s.post(widgets(s), widget(s, 'a', { size: 20, color: 'red' })), 201)
      const at = `${crds}/widgets.${s.group}`
      const { body } = ok(await s.get<Answer<{ readonly versions: readonly object[] }>>(at))
      const schema = { openAPIV3Schema: schemaOf({ size: { ...size, maximum: 10 }, color }) }
      const versions = body.spec.versions.map(version => ({ ...version, schema }))
      ok(await s.put(at, { ...body, spec: { ...body.spec, versions } }))
      // The schema is in force when it refuses something.
      await s.retry('POST', `${widgets(s)}?dryRun=All`, reply => reply.status === 422, { body: widget(s, 'b', { size: 20 }) })
      ok(await s.patch(widgets(s, 'a'), 'merge', { spec: { color: 'blue' } }))
      refused(await s.patch(widgets(s, 'a'), 'merge', { spec: { size: 21 } }), 422, 'Invalid', /spec\.size: Invalid value: 21/)
    },
  },
  {
    number: 169,
    title: 'a rule about the old value of what cannot be told apart is refused with its definition',
    run: async s => {
      const items = { type: 'string', maxLength: 9, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] } as Json
      const list = { type: 'array', maxItems: 9, 'x-kubernetes-list-type': 'atomic', items } as Json
      const reply = await s.post(`${crds}?dryRun=All`, definition(s, { schema: schemaOf({ list }) }))
      refused(reply, 422, 'Invalid', /oldSelf cannot be used on the uncorrelatable portion of the schema/)
    },
  },
  {
    number: 170,
    title: 'a rule that could cost too much is refused with its definition',
    run: async s => {
      const nested = { type: 'array', items: { type: 'array', items: { type: 'string' } } } satisfies Json
      const rule = { rule: "self.list.all(a, a.all(b, self.list.all(c, c.all(d, d != b + 'x'))))" }
      const reply = await s.post(`${crds}?dryRun=All`, definition(s, { schema: schemaOf({ list: nested }, [rule]) }))
      refused(reply, 422, 'Invalid', /estimated rule cost exceeds budget by factor of/)
      const bounded = { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 5 } } satisfies Json
      const cheap = definition(s, { schema: schemaOf({ list: bounded }, [{ rule: "self.list.all(a, a != 'x')" }]) })
      ok(await s.post(`${crds}?dryRun=All`, cheap), 201)
    },
  },
]
