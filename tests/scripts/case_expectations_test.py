"""What `expect` entries accept and refuse, on pictures whose values are known."""

import array
import math
import os
import struct
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "lib"))

from cases.expectations import check_entry  # noqa: E402
from cases.picture import Picture, PictureError, read_pfm  # noqa: E402

NAN = float("nan")
RED, GREEN, BLUE = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def picture(width, height, colour):
    """A picture with colour(x, y) at each pixel."""
    values = [v for y in range(height) for x in range(width) for v in colour(x, y)]
    return Picture(width, height, array.array("f", values))


def flat(*rgb):
    return picture(4, 4, lambda x, y: rgb)


def faults(entry, *pictures, cameras=()):
    return check_entry(entry, list(pictures), list(cameras))


class PfmTest(unittest.TestCase):
    def read(self, data):
        with tempfile.NamedTemporaryFile(suffix=".pfm") as file:
            file.write(data)
            file.flush()
            return read_pfm(file.name)

    def test_rows_come_out_from_the_top_in_either_byte_order(self):
        bottom_up = [7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6]
        for scale, order in (("-1.0", "<"), ("1.0", ">")):
            read = self.read(f"PF\n2 2\n{scale}\n".encode() + struct.pack(f"{order}12f", *bottom_up))
            self.assertEqual(list(read.values), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
            self.assertEqual(read.pixel(1, 1), (10, 11, 12))

    def test_grey_fills_three_channels(self):
        self.assertEqual(self.read(b"Pf\n1 2\n-1\n" + struct.pack("<2f", 2, 1)).pixel(0, 0), (1, 1, 1))

    def test_pixel_bytes_that_look_like_spaces_are_kept(self):
        spaces = b"\n \t\n"
        self.assertEqual(self.read(b"PF\n1 1\n-1.0\n" + spaces * 3).pixel(0, 0), struct.unpack("<f", spaces) * 3)

    def test_other_and_short_files_are_refused(self):
        for data in (b"", b"P6\n1 1\n255\nabc", b"PF\n4 4\n-1.0\n1234"):
            with self.assertRaises(PictureError):
                self.read(data)


class BoundsTest(unittest.TestCase):
    def test_mean_of_the_box_is_compared_with_both_ends_included(self):
        two = picture(4, 4, lambda x, y: RED if 1 <= x <= 2 and y == 3 else BLUE)
        self.assertEqual(faults({"box": [1, 3, 2, 3], "rgb": RED, "tol": 0}, two), [])
        self.assertTrue(faults({"box": [1, 3, 3, 3], "rgb": RED, "tol": 0.2}, two))
        self.assertTrue(faults({"box": [1, 2, 2, 3], "rgb": RED, "tol": 0.2}, two))
        self.assertEqual(faults({"box": [0, 3, 3, 3], "rgb": (0.5, 0, 0.5), "tol": 1e-6}, two), [])

    def test_tolerance_is_absolute_and_per_channel(self):
        entry = {"rgb": (0.5, 0.5, 0.5), "tol": 0.02}
        self.assertEqual(faults(entry, flat(0.515, 0.485, 0.5)), [])
        self.assertTrue(faults(entry, flat(0.5, 0.5, 0.525)))

    def test_min_and_max_bound_each_channel_of_the_mean(self):
        self.assertEqual(faults({"min": 0.4, "max": 0.6}, flat(0.4, 0.5, 0.6 - 1e-6)), [])
        self.assertTrue(faults({"min": 0.4}, flat(0.5, 0.39, 0.5)))
        self.assertTrue(faults({"max": 0.6}, flat(0.5, 0.5, 0.61)))

    def test_lo_and_hi_bound_channels_apart(self):
        entry = {"lo": [0, 0.95, 0], "hi": [0.05, 1.05, 1.05]}
        self.assertEqual(faults(entry, flat(0, 1, 0.7)), [])
        self.assertTrue(faults(entry, flat(0.1, 1, 0.7)))
        self.assertTrue(faults(entry, flat(0, 0.9, 0.7)))

    def test_every_pixel_is_stricter_than_the_mean(self):
        spot = picture(4, 4, lambda x, y: (0.0,) * 3 if (x, y) == (2, 1) else (1.0,) * 3)
        self.assertEqual(faults({"min": 0.9}, spot), [])
        found = faults({"min": 0.4, "every_pixel": True}, spot)
        self.assertEqual(len(found), 1)
        self.assertIn("(2, 1)", found[0])
        self.assertEqual(faults({"box": [0, 2, 3, 3], "min": 0.4, "every_pixel": True}, spot), [])

    def test_nan_is_outside_every_bound(self):
        nan = picture(4, 4, lambda x, y: (1.0, NAN, 1.0) if (x, y) == (0, 0) else (1.0,) * 3)
        for entry in ({"rgb": (1, 1, 1), "tol": 9}, {"min": 0}, {"max": 9}, {"lo": [0] * 3}, {"hi": [9] * 3},
                      {"max": 9, "every_pixel": True}):
            self.assertTrue(faults(entry, nan), entry)

    def test_each_of_several_pictures_must_hold(self):
        self.assertTrue(faults({"rgb": RED, "tol": 0}, flat(*RED), flat(*GREEN)))

    def test_a_box_off_the_picture_an_unknown_key_and_an_empty_entry_are_faults(self):
        self.assertTrue(faults({"box": [0, 0, 4, 0], "min": 0}, flat(*RED)))
        self.assertIn("unknown", faults({"median": 1, "min": 0}, flat(*RED))[0])
        self.assertTrue(faults({"what": "nothing"}, flat(*RED)))


class EitherTest(unittest.TestCase):
    def test_one_alternative_must_hold_whether_a_colour_an_entry_or_a_list(self):
        for alternatives in ([list(RED), list(GREEN)], [{"rgb": RED}, {"rgb": GREEN}],
                             [[{"rgb": RED}], [{"rgb": GREEN}, {"max": 1}]]):
            entry = {"either": alternatives, "tol": 0.01, "box": [0, 0, 1, 1]}
            self.assertEqual(faults(entry, flat(*GREEN)), [])
            self.assertTrue(faults(entry, flat(*BLUE)))

    def test_all_entries_of_an_alternative_must_hold_together(self):
        halves = picture(4, 4, lambda x, y: RED if x < 2 else GREEN)
        left, right = [0, 0, 1, 3], [2, 0, 3, 3]
        entry = {"tol": 0, "either": [[{"box": left, "rgb": GREEN}, {"box": right, "rgb": RED}],
                                      [{"box": left, "rgb": RED}, {"box": right, "rgb": BLUE}]]}
        self.assertTrue(faults(entry, halves))
        entry["either"][1][1]["rgb"] = GREEN
        self.assertEqual(faults(entry, halves), [])


class CycleTest(unittest.TestCase):
    def test_the_order_counts_and_the_start_does_not(self):
        entry = {"cycle": [list(RED), list(GREEN), list(BLUE)], "tol": 0.03}
        views = [flat(*colour) for colour in (GREEN, BLUE, RED)]
        self.assertEqual(faults(entry, *views), [])
        self.assertTrue(faults(entry, *reversed(views)))
        self.assertTrue(faults(entry, *views[:2]))


class PanoramaTest(unittest.TestCase):
    ENTRY = {"panorama_row": 1, "bright_runs": 1, "width_deg": 22.5, "width_tol": 2, "inside_min": 0.98,
             "inside_margin_deg": 6, "outside_max": 0.02}
    TARGETS = ((0, 0, -1), (1, 0, 0), (0, 0, 1), (-1, 0, 0))

    def faults(self, value, targets=TARGETS):
        """Four square views of a ring on which value(degrees to the right of the first view) shines."""
        cameras = [{"eye": [0, 0, 0], "target": t, "up": [0, 1, 0], "vfov": 90} for t in targets]
        views = []
        for heading in (0, 90, 180, 270):
            def colour(x, y, heading=heading):
                angle = heading + math.degrees(math.atan((x + 0.5) / 32 - 1))
                return (value(angle % 360) if y == 1 else NAN,) * 3
            views.append(picture(64, 64, colour))
        return faults(self.ENTRY, *views, cameras=cameras)

    @staticmethod
    def stripe(centre, width=22.5, inside=1.0, outside=0.0):
        return lambda angle: inside if abs((angle - centre + 180) % 360 - 180) <= width / 2 else outside

    def test_a_stripe_is_found_wherever_it_lies_also_across_a_seam(self):
        for centre in (10, 45, 90, 135, 200, 315, 359):
            self.assertEqual(self.faults(self.stripe(centre)), [], centre)

    def test_soft_edges_within_the_margin_pass(self):
        def soft(angle):
            return min(1.0, max(0.0, 0.5 + (11.25 - abs((angle - 100 + 180) % 360 - 180)) / 5.6))
        self.assertEqual(self.faults(soft), [])

    def test_views_in_the_wrong_order_tear_the_stripe(self):
        self.assertTrue(self.faults(self.stripe(45), targets=self.TARGETS[::-1]))

    def test_wrong_width_level_number_and_nan_are_faults(self):
        one, other = self.stripe(45), self.stripe(200)
        for value in (self.stripe(45, width=27), self.stripe(45, inside=0.9), self.stripe(45, outside=0.05),
                      lambda a: max(one(a), other(a)), lambda a: 0.0, lambda a: 1.0, lambda a: NAN):
            self.assertTrue(self.faults(value))


if __name__ == "__main__":
    unittest.main()
