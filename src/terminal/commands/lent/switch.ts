/** What a mode of the conversation is switched by. */

/** A mode that is on or off, for this conversation. */
export type Switch = { isOn(): boolean; turn(on: boolean): void };
