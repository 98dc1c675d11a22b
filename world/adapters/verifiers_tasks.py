"""verifiers (0.4): tasks of this company, each with the employee's tools as an MCP server and the verdict as its reward.

The address of the control plane is `FIRM_CONTROL`, a URL or the path of its socket, and its secret `FIRM_SECRET`: both
stay in the program that runs rollouts. The tool server of a rollout gets the employee's token only.
"""

import inspect
import keyword
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import httpx
import verifiers.v1 as vf
from pydantic import Field

from world.client import AsyncFleet, Fleet, Task

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

TIMEOUT_S = 300.0


class CompanyData(vf.TaskData):
    """A task as it is stored with a trace."""

    scenario: str
    seed: int
    settings: dict[str, Any] = Field(default_factory=dict)


class CompanyState(vf.State):
    """What a rollout and its tool server share: the world, and the employee's way into it."""

    world: str = ""
    tools: str = ""
    token: str = ""


class CompanyTools(vf.Toolset[vf.ToolsetConfig, CompanyState]):
    """The employee's tools, with the schemas of the server."""

    TOOL_PREFIX = None

    async def setup_task(self, task: CompanyData) -> None:
        """Take over the token of the rollout."""
        shared = await self._pull_state()
        self._http = httpx.Client(headers={"Authorization": f"Bearer {shared.token}"}, timeout=TIMEOUT_S)
        self._address = shared.tools

    def register(self, mcp: "MCPServer") -> None:
        """Register every tool that the employee has."""
        for tool in self._http.get(self._address).raise_for_status().json():
            mcp.add_tool(self._bind(tool), name=tool["name"], description=tool.get("description") or tool["name"])

    def _bind(self, tool: dict[str, Any]) -> Callable[..., str]:
        """A function with the parameters of a tool; its annotations publish the tool's own schema."""
        schema = tool["inputSchema"]

        def call(**given: Any) -> str:
            asked = {names[name]: value for name, value in given.items() if value is not None}
            answer = self._http.post(self._address, json={"name": tool["name"], "arguments": asked})
            said = answer.raise_for_status().json()
            text = "\n".join(part["text"] for part in said["content"])
            if said.get("isError"):
                raise ValueError(text)
            return text

        names = {_to_name(name): name for name in schema["properties"]}
        needed = set(schema.get("required", ()))
        call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [_to_parameter(own, schema["properties"][name], name in needed) for own, name in names.items()]
        )
        return call


def _to_name(name: str) -> str:
    """A tool's argument as a parameter of Python."""
    return f"{name}_" if keyword.iskeyword(name) else name


def _to_parameter(name: str, schema: dict[str, Any], needed: bool) -> inspect.Parameter:
    annotation = Annotated[Any, Field(json_schema_extra=schema)]
    default = inspect.Parameter.empty if needed else None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


class CompanyTask(vf.Task[CompanyData, CompanyState]):
    """One rollout: a world of its own, dropped when it is scored."""

    @classmethod
    def toolsets(cls, config: vf.TaskConfig) -> list[vf.Toolset]:
        """The tool server of a rollout."""
        return [CompanyTools(vf.ToolsetConfig())]

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Make the world, and hand the employee's token to the tool server."""
        data = self.data
        async with AsyncFleet(**read_address()) as fleet:
            episode = await fleet.create(Task.of(data.scenario, data.seed, **data.settings))
            token = episode.connections
            trace.state = CompanyState(world=episode.world, tools=token.tools, token=token.token)

    @vf.reward
    async def verdict(self, trace: vf.Trace) -> float:
        """The score of the run; its world is dropped."""
        async with AsyncFleet(**read_address()) as fleet:
            verdict = await fleet.client.grade(trace.state.world, public=True)
            trace.info["verdict"] = verdict
            await fleet.client.drop(trace.state.world)
        return float(verdict["score"])


class CompanyConfig(vf.TasksetConfig):
    """Scenarios and chores by name; each with the seeds from `first_seed` on."""

    scenarios: list[str] = ["flapping_alert"]
    first_seed: int = 0
    seeds: int = 1
    settings: dict[str, Any] = Field(default_factory=dict)


class CompanyTaskset(vf.Taskset[CompanyTask, CompanyConfig]):
    """The tasks of a config, with the texts that the server gives them."""

    def load(self) -> Iterator[CompanyTask]:
        """Read the text of each task from a world that is dropped again."""
        config = self.config
        with Fleet(**read_address()) as fleet:
            for scenario in config.scenarios:
                for seed in range(config.first_seed, config.first_seed + config.seeds):
                    task = Task.of(scenario, seed, **config.settings)
                    with fleet.create(task) as episode:
                        prompt = episode.prompt
                    data = CompanyData(
                        id=task.id, prompt=prompt, scenario=scenario, seed=seed, settings=config.settings
                    )
                    yield CompanyTask(data, config.task)


def read_address() -> dict[str, Any]:
    """Address and secret of the control plane, from the environment. Raises KeyError."""
    where, secret = os.environ["FIRM_CONTROL"], os.environ["FIRM_SECRET"]
    return {"secret": secret, **({"url": where} if where.startswith("http") else {"socket": where})}


__all__ = ["CompanyTaskset"]

if __name__ == "__main__":
    CompanyTools.run()
