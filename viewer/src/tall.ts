// SPDX-License-Identifier: BSD-3-Clause
// Scrolling over more than a browser's elements can be high: below the limit a pixel is a pixel, above it the
// scroll bar is scaled.
const LIMIT = 15_000_000;

export class Tall {
    private height = 0;
    private real = 0;

    constructor(
        private readonly scroller: HTMLElement,
        private readonly sizer: HTMLElement,
    ) {}

    setHeight(height: number): void {
        this.height = height;
        this.real = Math.min(height, LIMIT);
        this.sizer.style.height = `${this.real}px`;
    }

    get isScaled(): boolean {
        return this.height > this.real;
    }

    private get scale(): number {
        const view = this.scroller.clientHeight;
        return this.isScaled ? (this.height - view) / Math.max(1, this.real - view) : 1;
    }

    get top(): number {
        return this.scroller.scrollTop * this.scale;
    }

    scrollTo(top: number, smoothly: boolean): void {
        this.scroller.scrollTo({
            top: Math.max(0, top) / this.scale,
            behavior: smoothly ? 'smooth' : 'auto',
        });
    }

    /** Where in the sizer something at this height has to be put now. */
    place(y: number): number {
        return this.isScaled ? this.scroller.scrollTop + y - this.top : y;
    }
}

function likesMotion(): boolean {
    return !matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** Brings y..y+height into view if it is not. Smoothly if it is near. */
export function reveal(
    tall: Tall,
    scroller: HTMLElement,
    y: number,
    height: number,
    covered = 0,
    middle = false,
): void {
    const view = scroller.clientHeight - covered;
    const top = tall.top;
    if (y >= top && y + height <= top + view) return;
    const far = middle || y + height < top - view || y > top + 2 * view;
    const wanted = far ? y - view / 2 : y < top ? y - height : y + 2 * height - view;
    tall.scrollTo(wanted, likesMotion() && !far);
}
