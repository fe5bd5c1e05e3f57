// Plays a fuzzed sequence on one server and gives its transcript in normal form; finds where two servers part, and shrinks to it.

import { given } from '#base'
import { prelude } from '../fixtures.ts'
import { compare, describeStep } from '../replay.ts'
import { Session, sharedGroup } from '../session.ts'
import type { Target } from '../target.ts'
import { type Json, normalise, type Step } from '../transcript.ts'
import type { FuzzKind, FuzzStep } from './steps.ts'

const resources: Readonly<Record<FuzzKind, { readonly resource: string; readonly apiVersion: string; readonly kind: string }>> = {
  configmaps: { resource: 'configmaps', apiVersion: 'v1', kind: 'ConfigMap' },
  secrets: { resource: 'secrets', apiVersion: 'v1', kind: 'Secret' },
  widgets: { resource: `widgets.${sharedGroup}/v1`, apiVersion: `${sharedGroup}/v1`, kind: 'Widget' },
  deployments: { resource: 'deployments.apps/v1', apiVersion: 'apps/v1', kind: 'Deployment' },
  leases: { resource: 'leases.coordination.k8s.io/v1', apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' },
  services: { resource: 'services', apiVersion: 'v1', kind: 'Service' },
  pods: { resource: 'pods', apiVersion: 'v1', kind: 'Pod' },
  roles: { resource: 'roles.rbac.authorization.k8s.io/v1', apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role' },
}

export async function prepareFuzz(target: Target): Promise<void> {
  await prelude(await new Session(target, 'prelude').open())
}

export async function play(target: Target, steps: readonly FuzzStep[], id: string): Promise<Step[]> {
  const session = await new Session(target, id).open()
  await playSteps(session, steps)
  await session.close()
  return normalise(session.steps, () => target.now())
}

export async function playSteps(session: Session, steps: readonly FuzzStep[]): Promise<void> {
  const revisions = new Map<string, { first: string; current: string }>()
  const { body } = await session.get(session.path('configmaps'))
  const watch = await session.watch(`${session.path('configmaps')}?resourceVersion=${body.metadata.resourceVersion}`)
  for (const step of steps) await playOne(session, step, revisions)
  // The end of the story, as a list and as a watcher from the beginning tell it. The marker says when all events have come.
  await session.get(session.path(resources.widgets.resource))
  await session.post(session.path('configmaps'), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'marker' } })
  while ((await watch.one()).object.metadata.name !== 'marker');
}

async function playOne(s: Session, step: FuzzStep, revisions: Map<string, { first: string; current: string }>): Promise<void> {
  const { resource, apiVersion, kind } = resources[step.kind]
  const at = (name = '', sub = ''): string => s.path(resource, name) + sub
  const named = (name: string, content: Json, revision?: string): Json => {
    const { metadata, ...rest } = content as { metadata: object }
    return {
      apiVersion,
      kind,
      ...rest,
      metadata: { name, ...metadata, ...given({ resourceVersion: revision }) },
    } as Json
  }
  const remember = (name: string, reply: { status: number; body: { metadata?: { resourceVersion?: string } } }): void => {
    const revision = reply.status < 300 ? reply.body.metadata?.resourceVersion : undefined
    if (revision === undefined || revision === '') return
    const known = revisions.get(`${step.kind}/${name}`)
    revisions.set(`${step.kind}/${name}`, { first: known?.first ?? revision, current: revision })
  }
  switch (step.do) {
    case 'create':
      remember(step.name, await s.post(at() + step.query, named(step.name, step.content)))
      return
    case 'put': {
      const known = revisions.get(`${step.kind}/${step.name}`)
      const revision = step.revision === 'none' ? undefined : known?.[step.revision]
      remember(step.name, await s.put(at(step.name, step.sub) + step.query, named(step.name, step.content, revision)))
      return
    }
    case 'patch': {
      const content = step.how === 'apply' ? named(step.name, step.content) : step.content
      remember(step.name, await s.patch(at(step.name, step.sub) + step.query, step.how, content))
      return
    }
    case 'delete':
      await s.delete(at(step.name), step.options)
      return
    case 'get':
      remember(step.name, await s.get(at(step.name, step.sub)))
      return
    case 'list':
      await s.get(at() + step.query)
      return
    case 'raw':
      // A real server tries for a minute to find an address for a service without a name before it says that there is none.
      if (step.kind === 'services' && step.method === 'POST') return
      await s.send(step.method, (step.method === 'POST' ? at() : at('a')) + step.query, { raw: step.text, type: step.type })
  }
}

export interface Parting {
  readonly index: number
  readonly what: string
  readonly difference: string
}

/** The first step at which the transcripts differ by more than the table of differences allows. */
export function parting(expected: readonly Step[], actual: readonly Step[]): Parting | undefined {
  for (const [index, wanted] of expected.entries()) {
    const got = actual[index]
    if (got === undefined) return { index, what: describeStep(wanted), difference: 'no answer' }
    const { difference } = compare('fuzz', wanted, asFarAsSeen(wanted, got))
    if (difference !== undefined) return { index, what: describeStep(wanted), difference }
  }
  return undefined
}

/**
 * The real server walks what is applied in the random order of a Go map, and stops in each object at the first field that no schema
 * declares: it tells of any of them, and of the faults that it met before. Ours tells all; what the real one saw must be among that.
 */
function asFarAsSeen(wanted: Step, got: Step): Step {
  const [seen, all] = [typeProblems(wanted), typeProblems(got)]
  if (!('reply' in got) || !('reply' in wanted) || seen === undefined || all === undefined) return got
  if (!seen.some(problem => problem.endsWith(': field not declared in schema'))) return got
  if (!seen.every(problem => all.includes(problem))) return got
  const { message } = wanted.reply.body as { readonly message: string }
  return { ...got, reply: { ...got.reply, body: { ...(got.reply.body as object), message } } } as Step
}

function typeProblems(step: Step): readonly string[] | undefined {
  const { message } = ('reply' in step ? (step.reply.body ?? {}) : {}) as { readonly message?: unknown }
  const found = typeof message === 'string' ? /^failed to create typed patch object \([^)]*\): ([^]*)$/.exec(message) : null
  return found?.[1]
    ?.replace(/^errors:\n/, '')
    .split('\n')
    .map(problem => problem.trim())
}

/** The shortest part of the steps that still makes the two servers differ, by leaving out ever smaller pieces. */
export async function shrink(
  steps: readonly FuzzStep[],
  differs: (part: readonly FuzzStep[]) => Promise<boolean>,
): Promise<FuzzStep[]> {
  let kept = [...steps]
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < kept.length; ) {
      const without = [...kept.slice(0, from), ...kept.slice(from + size)]
      if (without.length > 0 && (await differs(without))) kept = without
      else from += size
    }
  }
  return kept
}
