// What is recorded: one theme per file. A theme is a list of sequences that can be run in a session.
import { seededRandom } from '#base'
import type { ControlPlane } from '../../real/control-plane.ts'
import { kubectlScripts } from '../../real/programs/kubectl-record.ts'
import { prelude } from './fixtures.ts'
import { playSteps } from './fuzz/play.ts'
import { fuzzSteps } from './fuzz/steps.ts'
import { catalogueForReal } from './register.ts'
import { amountScripts } from './scripts/amounts.ts'
import { appScripts } from './scripts/app-life.ts'
import { bodyScripts } from './scripts/bodies.ts'
import { celScripts } from './scripts/cel.ts'
import { cornerScripts } from './scripts/corners.ts'
import { edgeScripts } from './scripts/edges.ts'
import { emptyListScripts } from './scripts/empty-lists.ts'
import { formScripts } from './scripts/forms.ts'
import { jobScripts } from './scripts/jobs.ts'
import { kindScripts } from './scripts/kinds.ts'
import { numberScripts } from './scripts/number-texts.ts'
import { patchScripts } from './scripts/patches.ts'
import { platformScripts } from './scripts/platform-kinds.ts'
import { podAdmissionScripts } from './scripts/pod-admission.ts'
import { policyScripts } from './scripts/policies.ts'
import { policyEdgeScripts } from './scripts/policy-edges.ts'
import { programScripts } from './scripts/programs.ts'
import { readerScripts } from './scripts/readers.ts'
import { refusalScripts } from './scripts/refusals.ts'
import { serviceScripts } from './scripts/services.ts'
import { grantScripts } from './scripts/tenants/grants.ts'
import { neighbourScripts } from './scripts/tenants/neighbours.ts'
import { reviewScripts } from './scripts/tenants/reviews.ts'
import { tenantScripts } from './scripts/tenants/tenants.ts'
import { transitionScripts } from './scripts/transitions.ts'
import { workloadScripts } from './scripts/workloads.ts'
import { Session } from './session.ts'
import type { Target } from './target.ts'
import { normalise } from './transcript.ts'
import type { Sequence } from './vectors.ts'

export interface Script {
  readonly id: string
  readonly title: string
  readonly run: (s: Session) => Promise<void>
}

interface Theme {
  readonly file: string
  readonly scripts: (plane: ControlPlane) => readonly Script[]
}

const themes: readonly Theme[] = [
  { file: 'prelude.jsonl', scripts: () => [{ id: 'prelude', title: 'the widgets that all sequences share', run: prelude }] },
  {
    file: 'catalogue.jsonl',
    scripts: () =>
      catalogueForReal
        .filter(one => one.noVector === undefined)
        .map(one => ({ id: `c${one.number}`, title: `${one.number}: ${one.title}`, run: one.run })),
  },
  { file: 'cel.jsonl', scripts: () => celScripts },
  { file: 'kinds.jsonl', scripts: () => kindScripts },
  { file: 'platform.jsonl', scripts: () => platformScripts },
  { file: 'refusals.jsonl', scripts: () => refusalScripts },
  { file: 'policies.jsonl', scripts: () => [...policyScripts, ...podAdmissionScripts] },
  { file: 'edges.jsonl', scripts: () => edgeScripts },
  { file: 'forms.jsonl', scripts: () => formScripts },
  {
    file: 'lives.jsonl',
    scripts: () => [...numberScripts, ...appScripts, ...readerScripts, ...transitionScripts, ...policyEdgeScripts],
  },
  { file: 'amounts.jsonl', scripts: () => amountScripts },
  { file: 'patches.jsonl', scripts: () => patchScripts },
  { file: 'programs.jsonl', scripts: () => programScripts },
  { file: 'bodies.jsonl', scripts: () => bodyScripts },
  { file: 'details.jsonl', scripts: () => [...serviceScripts, ...emptyListScripts, ...cornerScripts] },
  { file: 'grants.jsonl', scripts: () => grantScripts },
  { file: 'tenants.jsonl', scripts: () => [...tenantScripts, ...reviewScripts] },
  { file: 'workloads.jsonl', scripts: () => [...jobScripts, ...workloadScripts] },
  { file: 'neighbours.jsonl', scripts: () => neighbourScripts },
  { file: 'kubectl.jsonl', scripts: kubectlScripts },
  {
    file: 'generated.jsonl',
    scripts: () =>
      Array.from({ length: 40 }, (_, index) => ({
        id: `g${index}`,
        title: `generated from seed vectors-${index}`,
        run: session => playSteps(session, fuzzSteps(seededRandom(`vectors-${index}`), 14)),
      })),
  },
]

/** Records the chosen themes (all when none is named). The prelude is always played, since the others build on it. */
export async function recordThemes(
  target: Target,
  plane: ControlPlane,
  chosen: readonly string[],
): Promise<{ file: string; sequences: Sequence[] }[]> {
  const recorded: { file: string; sequences: Sequence[] }[] = []
  for (const theme of themes) {
    if (theme.file !== 'prelude.jsonl' && chosen.length > 0 && !chosen.some(name => theme.file.startsWith(name))) continue
    const sequences: Sequence[] = []
    for (const script of theme.scripts(plane)) sequences.push(await recordOne(target, script))
    recorded.push({ file: theme.file, sequences })
  }
  return recorded
}

async function recordOne(target: Target, script: Script): Promise<Sequence> {
  const session = await new Session(target, script.id).open()
  try {
    await script.run(session)
  } catch (error) {
    throw new Error(`${script.id} (${script.title}) did not go as it should on the real server`, { cause: error })
  } finally {
    await session.close()
  }
  return { id: script.id, title: script.title, steps: normalise(session.steps, () => target.now()) }
}
