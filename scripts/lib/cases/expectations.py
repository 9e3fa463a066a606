"""What a case expects of a picture: each entry of `expect` is checked here.

An entry holds one or more of these checks, over `box` (x0, y0, x1, y1, both ends included) or else the whole film:

    rgb, tol        the mean of each channel is within `tol` of `rgb`
    min, max        bounds of the mean of each channel
    lo, hi          bounds of the mean, one per channel
    every_pixel     the checks above hold for each pixel instead of the mean
    cycle, tol      the means of several pictures are these colours in this order, starting anywhere
    panorama_row    that row of several pictures, joined to a ring (panorama.py)
    either          a list of alternatives, one of which must hold: colours, entries, or lists of entries

NaN is outside every bound: all comparisons are written so that they fail for it.
"""

from . import panorama
from .picture import PictureError

BOUND_KEYS = {"rgb", "tol", "min", "max", "lo", "hi", "every_pixel"}
ENTRY_KEYS = BOUND_KEYS | {"box", "cycle", "either", "what"} | panorama.KEYS


def check_entry(entry, pictures, cameras):
    """Returns what is wrong, as a list of sentences; empty if the pictures are as the entry says."""
    unknown = sorted(set(entry) - ENTRY_KEYS)
    if unknown:
        return [f"unknown key in expect: {', '.join(unknown)}"]
    try:
        if "either" in entry:
            return _check_either(entry, pictures, cameras)
        if "cycle" in entry:
            return _check_cycle(entry, pictures)
        if "panorama_row" in entry:
            return panorama.check(entry, pictures, cameras)
        bounds = _bounds(entry)
        if not bounds:
            return ["expect holds no check"]
        return [fault for picture in pictures for fault in _check_bounds(entry, bounds, picture)]
    except PictureError as error:
        return [str(error)]


def show(values):
    """A colour, short enough to read."""
    return "(" + ", ".join(f"{v:.5g}" for v in values) + ")"


def _triple(value):
    return tuple(value) if isinstance(value, (list, tuple)) else (value,) * 3


def _bounds(entry):
    """(low, high, description) of each check in an entry; low or high may be None."""
    bounds = []
    if "rgb" in entry:
        tol = entry.get("tol", 0.0)
        rgb = entry["rgb"]
        bounds.append((tuple(v - tol for v in rgb), tuple(v + tol for v in rgb), f"{show(rgb)} +- {tol:g}"))
    for low_key, high_key in (("min", "max"), ("lo", "hi")):
        low, high = entry.get(low_key), entry.get(high_key)
        if low is not None or high is not None:
            texts = [f"{word} {show(_triple(b)) if isinstance(b, list) else format(b, 'g')}"
                     for word, b in (("at least", low), ("at most", high)) if b is not None]
            bounds.append((None if low is None else _triple(low), None if high is None else _triple(high),
                           " and ".join(texts)))
    return bounds


def _inside(rgb, low, high):
    return ((all(v >= b for v, b in zip(rgb, low)) if low is not None else all(v == v for v in rgb))
            and (high is None or all(v <= b for v, b in zip(rgb, high))))


def _check_bounds(entry, bounds, picture):
    box = tuple(entry.get("box", picture.film()))
    faults = []
    for low, high, text in bounds:
        if entry.get("every_pixel", False):
            wrong = [(x, y, rgb) for x, y, rgb in picture.pixels(box) if not _inside(rgb, low, high)]
            if wrong:
                x, y, rgb = wrong[0]
                faults.append(f"{len(wrong)} pixels of box {list(box)} are outside, the first ({x}, {y}) is "
                              f"{show(rgb)}, expected {text}")
        elif not _inside(picture.mean(box), low, high):
            faults.append(f"mean of box {list(box)} is {show(picture.mean(box))}, expected {text}")
    return faults


def _check_either(entry, pictures, cameras):
    shared = {key: value for key, value in entry.items() if key != "either"}
    faults = []
    for alternative in entry["either"]:
        entries = _alternative(alternative, shared)
        found = [fault for one in entries for fault in check_entry(one, pictures, cameras)]
        if not found:
            return []
        faults.append(found[0])
    return ["no alternative holds: " + "; or ".join(faults)]


def _alternative(alternative, shared):
    """The entries that one alternative stands for; what it does not say it takes from the entry around it."""
    if isinstance(alternative, dict):
        return [{**shared, **alternative}]
    if all(isinstance(item, dict) for item in alternative):
        return [{**shared, **item} for item in alternative]
    return [{**shared, "rgb": alternative}]


def _check_cycle(entry, pictures):
    colours, tol = entry["cycle"], entry.get("tol", 0.0)
    if len(pictures) != len(colours):
        return [f"{len(colours)} colours in cycle, but {len(pictures)} pictures"]
    means = [picture.mean(tuple(entry.get("box", picture.film()))) for picture in pictures]
    for start in range(len(colours)):
        turned = colours[start:] + colours[:start]
        if all(abs(v - c) <= tol for mean, colour in zip(means, turned) for v, c in zip(mean, colour)):
            return []
    return [f"the views show {', '.join(show(m) for m in means)}, expected {', '.join(show(c) for c in colours)} "
            f"in this order, starting anywhere, +- {tol:g}"]
