"""Pictures of linear radiance, read from PFM files."""

import array
import sys


class PictureError(Exception):
    """A picture that cannot be read."""


class Picture:
    """RGB floats; rows count from the top, pixels from the left, both from 0."""

    def __init__(self, width, height, values):
        if len(values) != 3 * width * height:
            raise PictureError(f"{width}x{height} pixels need {3 * width * height} values, got {len(values)}")
        self.width, self.height, self.values = width, height, values

    def pixel(self, x, y):
        at = 3 * (y * self.width + x)
        return tuple(self.values[at:at + 3])

    def film(self):
        """The box that covers every pixel."""
        return (0, 0, self.width - 1, self.height - 1)

    def pixels(self, box):
        """(x, y, rgb) of each pixel of a box, both ends included."""
        x0, y0, x1, y1 = box
        if not (0 <= x0 <= x1 < self.width and 0 <= y0 <= y1 < self.height):
            raise PictureError(f"box {list(box)} is not inside the {self.width}x{self.height} picture")
        for y in range(y0, y1 + 1):
            for x in range(x0, x1 + 1):
                yield x, y, self.pixel(x, y)

    def mean(self, box):
        """Mean of each channel over a box; NaN if any of its values is."""
        sums, count = [0.0, 0.0, 0.0], 0
        for _, _, rgb in self.pixels(box):
            sums = [s + v for s, v in zip(sums, rgb)]
            count += 1
        return tuple(s / count for s in sums)


def read_pfm(path):
    """Reads a colour (PF) or grey (Pf) PFM file, whose rows run from the bottom, in either byte order."""
    with open(path, "rb") as file:
        data = file.read()
    fields = data.split(maxsplit=4)
    if len(fields) < 4 or fields[0] not in (b"PF", b"Pf"):
        raise PictureError(f"{path} is no PFM file")
    channels = 3 if fields[0] == b"PF" else 1
    width, height, scale = int(fields[1]), int(fields[2]), float(fields[3])
    size_bytes = 4 * channels * width * height
    if len(data) < size_bytes:
        raise PictureError(f"{path} holds {len(data)} bytes, its {width}x{height} pixels need {size_bytes}")
    values = array.array("f")
    values.frombytes(data[len(data) - size_bytes:])
    if (scale < 0) != (sys.byteorder == "little"):
        values.byteswap()
    row = channels * width
    from_top = array.array("f")
    for y in reversed(range(height)):
        line = values[y * row:(y + 1) * row]
        from_top.extend(line if channels == 3 else [v for grey in line for v in (grey, grey, grey)])
    return Picture(width, height, from_top)
