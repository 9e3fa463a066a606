"""A row of several views, joined from left to right and closed to a ring.

Checks: `panorama_row` names the row; `bright_runs` says how many stretches are brighter than half of the row's
maximum; each is `width_deg` +- `width_tol` degrees wide at that height; farther than `inside_margin_deg` from its edges
every value inside is at least `inside_min`, and every value outside at most `outside_max` (`outside_margin_deg` if
given, else the same margin).
"""

import math

KEYS = {"panorama_row", "bright_runs", "width_deg", "width_tol", "inside_min", "inside_margin_deg",
        "outside_max", "outside_margin_deg"}


def check(entry, pictures, cameras):
    """Returns what is wrong, as a list of sentences."""
    ring = _ring(entry["panorama_row"], pictures, cameras)
    if any(v != v for _, rgb in ring for v in rgb):
        return ["the row holds a NaN"]
    runs = _runs([(angle, sum(rgb) / 3) for angle, rgb in ring])
    faults = []
    if "bright_runs" in entry and len(runs) != entry["bright_runs"]:
        widths = ", ".join(f"{end - begin:.1f}" for begin, end in runs)
        faults.append(f"{len(runs)} bright runs ({widths or 'none'} degrees), expected {entry['bright_runs']}")
    for begin, end in runs:
        if "width_deg" in entry and not abs(end - begin - entry["width_deg"]) <= entry.get("width_tol", 0.0):
            faults.append(f"a run of {end - begin:.2f} degrees, "
                          f"expected {entry['width_deg']:g} +- {entry.get('width_tol', 0.0):g}")
    return faults + _levels(entry, ring, runs)


def _levels(entry, ring, runs):
    inside_margin = entry.get("inside_margin_deg", 0.0)
    outside_margin = entry.get("outside_margin_deg", inside_margin)
    faults = []
    for angle, rgb in ring:
        depth = max((_depth(run, angle) for run in runs), default=-360.0)
        if depth > inside_margin and "inside_min" in entry and not min(rgb) >= entry["inside_min"]:
            faults.append(f"{min(rgb):.4g} inside a run, {angle:.1f} degrees to the right of the first view, "
                          f"expected at least {entry['inside_min']:g}")
        if -depth > outside_margin and "outside_max" in entry and not max(rgb) <= entry["outside_max"]:
            faults.append(f"{max(rgb):.4g} outside the runs, {angle:.1f} degrees to the right of the first view, "
                          f"expected at most {entry['outside_max']:g}")
    return faults[:1]


def _depth(run, angle):
    """How far inside a run an azimuth is, in degrees; negative outside."""
    begin, end = run
    if _turn(begin, angle) <= end - begin:
        return min(_turn(begin, angle), _turn(angle, end))
    return -min(_turn(angle, begin), _turn(end, angle))


def _turn(a, b):
    """Degrees to turn right from azimuth a to azimuth b."""
    return (b - a) % 360.0


def _ring(row, pictures, cameras):
    """(azimuth in degrees, rgb) of each pixel of the row in every view, in order of azimuth, to the right."""
    reference = _axes(cameras[0])
    ring = []
    for picture, camera in zip(pictures, cameras):
        forward = _axes(camera)[0]
        heading = math.degrees(math.atan2(_dot(forward, reference[1]), _dot(forward, reference[0])))
        step = 2 * math.tan(math.radians(camera["vfov"]) / 2) / picture.height
        for x, _, rgb in picture.pixels((0, row, picture.width - 1, row)):
            offset = math.degrees(math.atan((x + 0.5 - picture.width / 2) * step))
            ring.append(((heading + offset) % 360.0, rgb))
    return sorted(ring)


def _runs(ring):
    """(begin, end) in degrees of each stretch above half of the maximum, begin < end; interpolated between pixels."""
    half = max(value for _, value in ring) / 2
    crossings = []
    for (angle, value), (next_angle, next_value) in zip(ring, ring[1:] + ring[:1]):
        if (value > half) != (next_value > half):
            share = (half - value) / (next_value - value)
            crossings.append((angle + share * _turn(angle, next_angle), next_value > half))
    begins = [angle for angle, rises in crossings if rises]
    ends = [angle for angle, rises in crossings if not rises]
    return [(begin, begin + min(_turn(begin, end) for end in ends)) for begin in begins]


def _axes(camera):
    """Unit forward and right of a camera."""
    forward = _unit([t - e for t, e in zip(camera["target"], camera["eye"])])
    return forward, _unit(_cross(forward, camera["up"]))


def _dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def _cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _unit(a):
    length = math.sqrt(_dot(a, a))
    return [x / length for x in a]
