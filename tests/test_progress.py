import dataclasses

import pytest

from residuum import ProgressEvent
from residuum._progress import Stage, duration, time_text


def test_every_update_is_reported_from_zero_to_the_total():
    events = []
    stage = Stage("columns", 5, events.append)
    stage.advance()
    stage.advance(3)
    stage.finish()
    assert events == [ProgressEvent("columns", done, 5) for done in (0, 1, 4, 5)]


def test_the_loss_belongs_to_one_report():
    events = []
    stage = Stage("skip-gram", 2, events.append)
    stage.advance(loss=0.7)
    stage.advance()
    assert [event.loss for event in events] == [None, 0.7, None]


def test_more_steps_than_the_total_count_as_the_total():
    events = []
    stage = Stage("passes", 3, events.append)
    stage.advance(10)
    assert stage.done == events[-1].done == 3


def test_a_stage_that_ends_early_is_reported_as_complete():
    events = []
    stage = Stage("passes", 8, events.append)
    stage.advance(2)
    stage.finish()
    assert (events[-1].done, events[-1].total) == (8, 8)


def test_a_stage_without_steps_is_reported():
    events = []
    Stage("nothing", 0, events.append).finish()
    assert [(event.done, event.total) for event in events] == [(0, 0), (0, 0)]


def test_without_a_callback_steps_are_counted():
    stage = Stage("columns", 5, None)
    stage.advance(2)
    assert stage.done == 2
    stage.finish()
    assert stage.done == 5


def test_an_error_of_the_callback_stops_the_work():
    def stop(event):
        if event.done == 1:
            raise KeyboardInterrupt

    stage = Stage("columns", 5, stop)
    with pytest.raises(KeyboardInterrupt):
        stage.advance()


def test_an_event_cannot_be_changed():
    event = ProgressEvent("columns", 1, 2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        event.done = 2


@pytest.mark.parametrize(("seconds", "expected"), [(0.04, "0.0 s"), (119, "119 s"), (121, "2.0 min"), (7300, "2.0 h")])
def test_a_duration_has_a_readable_unit(seconds, expected):
    assert duration(seconds) == expected


def test_times_are_named_and_nothing_is_left_of_a_finished_stage():
    assert time_text(2.0, 6.0) == "2.0 s, 6.0 s left"
    assert time_text(2.0, None) == time_text(2.0, 0.0) == "2.0 s"
    assert time_text(None, None) == ""
