"""`gradient completion`: a script that makes a shell complete commands and flags."""

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence

from engine_py.command.terminal import print_lines

Flags = Mapping[str, Sequence[str]]
"""Flags, each with its choices if it has any."""

_FLAG = re.compile(r"^  (?:-\w, )?(--[\w-]+)(?: \{([\w,-]+)\})?", re.MULTILINE)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # in the help of Python 3.14
_BASH = """\
_gradient() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} words=
  case "$COMP_CWORD ${{COMP_WORDS[1]}} ${{COMP_WORDS[COMP_CWORD-1]}} $word" in
{cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _gradient gradient gradient-engine"""
_ZSH = """\
(( $+functions[compdef] )) || { autoload -U compinit && compinit }
autoload -U bashcompinit && bashcompinit
"""
_FISH = "complete -c gradient -c gradient-engine -n '__fish_"


def completion(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """print a script for bash, zsh or fish that completes commands and flags

    Save it, and have your shell read it when it starts. Other words are completed as file names.

    Examples:
      {gradient} completion bash > ~/.gradient.bash; echo "source ~/.gradient.bash" >> ~/.bashrc
      {gradient} completion zsh > ~/.gradient.zsh; echo "source ~/.gradient.zsh" >> ~/.zshrc
      {gradient} completion fish > ~/.config/fish/completions/gradient.fish
    """
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="your shell")
    return _completion


def _completion(options: Namespace) -> int:
    commands = {name: flags_of(parser) for name, parser in options.commands.items()}
    if options.shell == "fish":
        print_lines([*_fish(commands)])
    else:
        script = _BASH.format(cases="\n".join(_cases(commands)))
        print_lines([_ZSH * (options.shell == "zsh") + script])
    return 0


def flags_of(parser: ArgumentParser) -> Flags:
    """Read the flags of a parser from its help: argparse has no other public list of them."""
    found = _FLAG.findall(_COLOUR.sub("", parser.format_help()))
    return {flag: choices.split(",") if choices else [] for flag, choices in found}


def _cases(commands: Mapping[str, Flags]) -> Iterator[str]:
    """Yield a line of bash's `case` for the commands, and for each command's flags and choices."""
    yield f'    "1 "*) words="{" ".join([*commands, "help", "--help", "--version"])}" ;;'
    for command, flags in commands.items():
        for flag, choices in flags.items():
            if choices:
                yield f'    *" {command} {flag} "*) words="{" ".join(choices)}" ;;'
        yield f'    *" {command} "*" -"*) words="{" ".join(flags)}" ;;'


def _fish(commands: Mapping[str, Flags]) -> Iterator[str]:
    yield f"{_FISH}use_subcommand' -fa '{' '.join([*commands, 'help'])}'"
    for command, flags in commands.items():
        for flag, choices in flags.items():
            values = f" -xa '{' '.join(choices)}'" if choices else ""
            yield f"{_FISH}seen_subcommand_from {command}' -l {flag[2:]}{values}"
