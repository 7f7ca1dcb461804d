import { MarkerSet } from '../markers.ts';

const start = '<|start|>';
export const channel = '<|channel|>';
export const constrain = '<|constrain|>';
export const message = '<|message|>';
/** Tokens that end one. */
export const ends: readonly string[] = ['<|end|>', '<|call|>', '<|return|>'];

/** Tokens that begin a message, and those that are stray outside of one. */
export const messageOpens: readonly string[] = [start, channel];
export const messageStrays: readonly string[] = [message, constrain, ...ends];

export const tokens: MarkerSet = new MarkerSet([...messageOpens, ...messageStrays]);
export const endTokens: MarkerSet = new MarkerSet(ends);
/** Tokens before which a broken message ends, or with which. */
export const resyncTokens: MarkerSet = new MarkerSet([...messageOpens, ...ends]);
export const recipientStart: MarkerSet = new MarkerSet(['to=']);
