// The catalogue as tests against one target.
import { describe, it } from 'node:test'
import type { Case } from './cases/case.ts'
import { catalogue } from './cases/index.ts'
import { Session } from './session.ts'
import type { Target } from './target.ts'

/** `target` is called by the first test, so that nothing starts while files are being loaded. */
export function registerCatalogue(title: string, target: () => Promise<Target>, chosen: readonly Case[] = catalogue): void {
  let opened: Promise<Target> | undefined
  describe(title, () => {
    for (const one of chosen) {
      it(`${one.number}: ${one.title}`, async () => {
        opened ??= target()
        await runCase(one, await opened)
      })
    }
  })
}

/** Those that kube-apiserver alone can be asked. */
export const catalogueForReal: readonly Case[] = catalogue.filter(
  one => one.needsControllers !== true && one.embeddedOnly === undefined,
)

/** Runs one case in a session of its own, which it returns for its transcript. */
export async function runCase(one: Case, target: Target, id = `c${one.number}`): Promise<Session> {
  const session = await new Session(target, id).open()
  try {
    await one.run(session)
  } finally {
    await session.close()
  }
  return session
}
