#!/usr/bin/env perl
# A worker of the protocol: one JSON object a line on stdin, one for each on stdout.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;

use Document qw(introspect);
use Json qw(decode encode);

my %IMPLEMENTS = (contract => "1.6.0");

# What this engine does not have is thrown as { skipped => "reason" }, an error of the contract as
# { code => ..., message => ..., span => ... }, and anything else is a fault of the engine.
sub answer_run {
    my ($message) = @_;
    my $result = eval {
        die { skipped => "the command $message->{command}" } if $message->{command} ne "introspect";
        die { skipped => "limits other than the defaults" } if exists $message->{limits};
        introspect($message->{request}, $IMPLEMENTS{contract});
    };
    my @reply = (sequence => $message->{sequence});
    return { kind => "result", @reply, result => $result } if $result;
    my $fault = $@;
    if (ref $fault ne "HASH") {
        return { kind => "crashed", @reply, message => "a fault of this engine", traceback => $fault };
    }
    return { kind => "error", @reply, error => $fault } if $fault->{code};
    return { kind => "skipped", @reply, reason => "does not have $fault->{skipped}" };
}

sub answer {
    my ($line) = @_;
    my $message = eval { decode($line) };
    my $kind = ref $message eq "HASH" && $message->{kind} || "";
    return answer_run($message) if $kind eq "run";
    return { kind => "stopped" } if $kind eq "stop";
    return { kind => "refused", sequence => undef, reason => "no message" } if $kind ne "start";
    return {
        kind           => "started",
        protocol       => "1",
        %IMPLEMENTS,
        implementation => {
            name     => "perl",
            language => "Perl",
            version  => "0.1",
            runtime  => sprintf("%vd", $^V),
        },
    };
}

$| = 1;
binmode STDOUT, ":encoding(UTF-8)";
while (my $line = <STDIN>) {
    my $reply = answer($line);
    print encode($reply), "\n";
    last if $reply->{kind} eq "stopped";
}
