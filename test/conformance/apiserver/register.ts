// The catalogue as tests against one target.
import { after, describe, it } from 'node:test'
import type { Case } from './cases/case.ts'
import { catalogue } from './cases/index.ts'
import type { Known } from './known.ts'
import { Session } from './session.ts'
import type { Target } from './target.ts'

/** Those that kube-apiserver alone can be asked. */
export const catalogueForReal: readonly Case[] = catalogue.filter(
  one => one.needsControllers !== true && one.embeddedOnly === undefined,
)

/**
 * `target` is called by the first test, so that nothing starts while files are being loaded. A case that `known` lists as
 * `case NUMBER` still runs, but does not fail the run.
 */
export function registerCatalogue(
  title: string,
  target: () => Promise<Target>,
  chosen: readonly Case[],
  known: Known = {},
): void {
  let opened: Promise<Target> | undefined
  describe(title, () => {
    after(async () => (await opened)?.close())
    for (const one of chosen) {
      const todo = known[`case ${one.number}`]
      it(`${one.title} [#${one.number}]`, todo === undefined ? {} : { todo }, async () => {
        opened ??= target()
        await runCase(one, await opened)
      })
    }
  })
}

/** Runs one case in a session of its own, which it returns for its transcript. */
export async function runCase(situation: Case, target: Target, id = `c${situation.number}`): Promise<Session> {
  const session = await new Session(target, id).open()
  try {
    await situation.run(session)
  } finally {
    await session.close()
  }
  return session
}
