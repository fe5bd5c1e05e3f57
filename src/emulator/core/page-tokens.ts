import { createHash } from 'node:crypto'
import type { PageTokens } from '../service.ts'

/** Tokens that name a position, sealed so that a forged one, or one of another list, is noticed. `binding` names that list. */
export function pageTokens(secret: string, binding: string): PageTokens {
  const seal = (position: string, filters: unknown): string =>
    createHash('sha256')
      .update(JSON.stringify([secret, binding, position, filters ?? null]))
      .digest('base64url')
      .slice(0, sealCharacters)
  return {
    seal: (position, filters) => `${seal(position, filters)}${Buffer.from(position, 'utf8').toString('base64url')}`,
    open: (token, filters) => {
      const position = Buffer.from(token.slice(sealCharacters), 'base64url').toString('utf8')
      return token.length >= sealCharacters && seal(position, filters) === token.slice(0, sealCharacters) ? position : undefined
    },
  }
}

const sealCharacters = 22
